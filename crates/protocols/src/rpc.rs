//! JSON-RPC 2.0: what a message is, and answers.

use serde_json::{Value, json};

/// The text is no JSON.
pub(crate) const PARSE_ERROR: i32 = -32700;
/// It is JSON, but no message.
pub(crate) const INVALID_REQUEST: i32 = -32600;
/// Nothing has this name.
pub(crate) const METHOD_NOT_FOUND: i32 = -32601;
/// It needs something else.
pub(crate) const INVALID_PARAMS: i32 = -32602;
/// A bug.
pub(crate) const INTERNAL_ERROR: i32 = -32603;

/// What comes in.
#[derive(Debug, PartialEq)]
pub(crate) enum Incoming {
    Request {
        id: Value,
        method: String,
        params: Value,
    },
    Notification {
        method: String,
        params: Value,
    },
    /// The answer to a request of ours.
    Response,
    /// What is no message, with the id to answer to if there is one.
    Wrong(Wrong),
}

/// Why something cannot be done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wrong {
    pub(crate) id: Value,
    pub(crate) code: i32,
    pub(crate) message: String,
}

/// Reads a message.
pub(crate) fn read(bytes: &[u8]) -> Incoming {
    let wrong = |id, code, message: String| Incoming::Wrong(Wrong { id, code, message });
    let mut all = match serde_json::from_slice::<Value>(bytes) {
        Ok(Value::Object(all)) => all,
        Ok(_) => return wrong(Value::Null, INVALID_REQUEST, "a message is an object".to_string()),
        Err(why) => return wrong(Value::Null, PARSE_ERROR, why.to_string()),
    };
    let id = all.remove("id");
    let known = |id: &Value| id.is_string() || id.is_i64() || id.is_u64();
    let params = all.remove("params").unwrap_or(Value::Null);
    match (all.remove("method"), id) {
        (Some(Value::String(method)), Some(id)) if known(&id) => Incoming::Request { id, method, params },
        (Some(Value::String(method)), None) => Incoming::Notification { method, params },
        (None, Some(_)) if all.contains_key("result") || all.contains_key("error") => Incoming::Response,
        (_, id) => {
            let id = id.filter(known).unwrap_or(Value::Null);
            wrong(id, INVALID_REQUEST, "this is neither a request nor a notification".to_string())
        }
    }
}

/// The answer to a request.
pub(crate) fn result(id: &Value, result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

/// The answer to a request that failed.
pub(crate) fn error(id: &Value, code: i32, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}

/// A request of ours.
pub(crate) fn request(id: u64, method: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method})
}

/// A message that is not answered.
pub(crate) fn notification(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Option<(Value, i32)> {
        match read(text.as_bytes()) {
            Incoming::Wrong(wrong) => Some((wrong.id, wrong.code)),
            _ => None,
        }
    }

    #[test]
    fn messages_are_told_apart() {
        let request = read(br#"{"jsonrpc":"2.0","id":"a","method":"m","params":[1]}"#);
        let expected = Incoming::Request { id: json!("a"), method: "m".into(), params: json!([1]) };
        assert_eq!(request, expected);
        let notification = read(br#"{"method":"m"}"#);
        assert_eq!(notification, Incoming::Notification { method: "m".into(), params: Value::Null });
        assert_eq!(read(br#"{"id":1,"result":null}"#), Incoming::Response);
    }

    #[test]
    fn what_is_no_message_has_an_answer() {
        assert_eq!(code("{"), Some((Value::Null, PARSE_ERROR)));
        assert_eq!(code("[]"), Some((Value::Null, INVALID_REQUEST)));
        assert_eq!(code(r#"{"id":7}"#), Some((json!(7), INVALID_REQUEST)));
        assert_eq!(code(r#"{"id":[],"method":"m"}"#), Some((Value::Null, INVALID_REQUEST)));
        assert_eq!(code(r#"{"id":1,"method":2}"#), Some((json!(1), INVALID_REQUEST)));
        assert_eq!(code(&"[".repeat(100_000)), Some((Value::Null, PARSE_ERROR)));
    }
}
