//! Who is answered. The server listens on this machine alone, but every page in the browser can
//! send requests here, and a name of another site may be made to mean this machine (DNS
//! rebinding). So the Host must be ours, an Origin, if there is one, must be ours, and every
//! request for data bears the key that only the printed address has.

use crate::secret::Key;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

pub(crate) struct Guard {
    key: Key,
    /// `127.0.0.1:PORT` and `localhost:PORT`.
    hosts: [String; 2],
}

/// The page loads nothing from elsewhere, and nothing inline. Styles are set through the object
/// model alone; markup is never made of text.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

impl Guard {
    pub(crate) fn new(key: Key, port: u16) -> Guard {
        Guard { key, hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")] }
    }

    /// Why a request is refused, if it is.
    fn refusal(
        &self,
        method: &Method,
        path: &str,
        headers: &HeaderMap,
    ) -> Option<(StatusCode, &'static str)> {
        let text = |name: HeaderName| one(headers, name).map(|value| value.to_str().unwrap_or_default());
        let ours = |host: &str| self.hosts.iter().any(|h| h == host);
        if !text(header::HOST).is_some_and(ours) {
            return Some((StatusCode::MISDIRECTED_REQUEST, "this address is not the studio's"));
        }
        let origin = text(header::ORIGIN);
        if headers.contains_key(header::ORIGIN)
            && !origin.and_then(|o| o.strip_prefix("http://")).is_some_and(ours)
        {
            return Some((StatusCode::FORBIDDEN, "another site asks"));
        }
        if !path.starts_with("/api/") {
            let reads = method == Method::GET || method == Method::HEAD;
            return (!reads).then_some((StatusCode::METHOD_NOT_ALLOWED, "the page is only read"));
        }
        let given = text(header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
        let good = given.is_some_and(|given| self.key.is(given));
        (!good).then_some((StatusCode::UNAUTHORIZED, "the key of this studio is missing"))
    }
}

/// The value of a header that is given once.
fn one(headers: &HeaderMap, name: HeaderName) -> Option<&HeaderValue> {
    let mut all = headers.get_all(name).iter();
    all.next().filter(|_| all.next().is_none())
}

/// Refuses, or answers with the headers that every answer has.
pub(crate) async fn guard(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let refusal = guard.refusal(request.method(), request.uri().path(), request.headers());
    let mut response = match refusal {
        Some(refusal) => refusal.into_response(),
        None => next.run(request).await,
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_page_with_the_key_is_answered() {
        let key = Key::random().unwrap();
        let bearer = format!("Bearer {}", key.text());
        let guard = Guard::new(key, 7000);
        let status = |path: &str, headers: &[(&'static str, &str)]| {
            let mut map = HeaderMap::new();
            headers.iter().for_each(|(name, value)| {
                map.append(*name, value.parse().unwrap());
            });
            guard.refusal(&Method::GET, path, &map).map(|(status, _)| status.as_u16())
        };
        let host = ("host", "127.0.0.1:7000");
        assert_eq!(status("/", &[host]), None);
        assert_eq!(status("/", &[]), Some(421));
        for other in ["evil.example:7000", "127.0.0.1", "127.0.0.1:7001", "127.0.0.1:7000.evil.example"] {
            assert_eq!(status("/", &[("host", other)]), Some(421), "{other}");
        }
        assert_eq!(status("/", &[host, host]), Some(421));
        let key = ("authorization", bearer.as_str());
        assert_eq!(status("/api/files", &[host, key]), None);
        assert_eq!(status("/api/files", &[host]), Some(401));
        assert_eq!(status("/api/files", &[host, ("authorization", "Bearer 0")]), Some(401));
        assert_eq!(status("/api/files", &[host, key, ("origin", "http://localhost:7000")]), None);
        for origin in ["null", "http://evil.example", "https://127.0.0.1:7000", "http://127.0.0.1:7001"] {
            assert_eq!(status("/api/files", &[host, key, ("origin", origin)]), Some(403), "{origin}");
        }
    }
}
