//! Where a message ends: behind as many bytes as its header says, or at the end of its line.
//!
//! What does not fit is skipped and reported; nothing is read that is longer than [`LARGEST`], and
//! nothing is reserved before it has come.

use std::io::{self, BufRead, Read};

/// The longest message.
const LARGEST: u64 = 64 << 20;
/// The longest line of a header.
const LINE: u64 = 4096;

/// What was read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    Message(Vec<u8>),
    /// Something that is no message, and why.
    Wrong(&'static str),
    End,
}

/// Where a message begins and ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// A header with the length, as in HTTP.
    Header,
    /// One message a line.
    Lines,
}

impl Framing {
    /// The next message.
    pub(crate) fn read(self, input: &mut dyn BufRead) -> Frame {
        match self {
            Framing::Header => headed(input),
            Framing::Lines => line(input, LARGEST).unwrap_or(Frame::End),
        }
        .filled(self)
    }

    /// A message as it is sent.
    pub(crate) fn write(self, text: &str) -> Vec<u8> {
        match self {
            Framing::Header => format!("Content-Length: {}\r\n\r\n{text}", text.len()).into_bytes(),
            Framing::Lines => format!("{text}\n").into_bytes(),
        }
    }
}

impl Frame {
    /// A line without anything on it is no message and no mistake.
    fn filled(self, framing: Framing) -> Frame {
        match self {
            Frame::Message(bytes) if framing == Framing::Lines && bytes.trim_ascii().is_empty() => {
                Frame::Wrong("")
            }
            frame => frame,
        }
    }
}

/// Reads a header up to its empty line, then the message. Lines that belong to no header are
/// skipped up to the next one that does.
fn headed(input: &mut dyn BufRead) -> Frame {
    let (mut length, mut wrong) = (None, None);
    loop {
        let line = match line(input, LINE) {
            Ok(Frame::Message(line)) => line,
            Ok(Frame::Wrong(why)) => {
                wrong = Some(why);
                continue;
            }
            Ok(Frame::End) | Err(_) => return wrong.map_or(Frame::End, Frame::Wrong),
        };
        let text = String::from_utf8_lossy(line.trim_ascii()).to_ascii_lowercase();
        match (text.split_once(':'), length) {
            _ if text.is_empty() => match (length, wrong) {
                (Some(length), _) => return body(input, length),
                (None, Some(why)) => return Frame::Wrong(why),
                (None, None) => {}
            },
            (Some(("content-length", number)), _) => match number.trim().parse::<u64>() {
                Ok(number) if number <= LARGEST => length = Some(number),
                Ok(_) => (length, wrong) = (None, Some("the message is too long")),
                Err(_) => (length, wrong) = (None, Some("the length is not a number")),
            },
            (Some((name, _)), _) if name.starts_with("content-") => {}
            _ => (length, wrong) = (None, Some("this is not a header")),
        }
    }
}

fn body(input: &mut dyn BufRead, length: u64) -> Frame {
    let mut bytes = Vec::new();
    match input.take(length).read_to_end(&mut bytes) {
        Ok(read) if read as u64 == length => Frame::Message(bytes),
        _ => Frame::End,
    }
}

/// A line without its end; what is longer than allowed is skipped up to the end of the line.
fn line(input: &mut dyn BufRead, longest: u64) -> io::Result<Frame> {
    let mut bytes = Vec::new();
    let read = Read::take(&mut *input, longest + 1).read_until(b'\n', &mut bytes)? as u64;
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
        return Ok(Frame::Message(bytes));
    }
    if read <= longest {
        return Ok(if bytes.is_empty() { Frame::End } else { Frame::Message(bytes) });
    }
    while !bytes.is_empty() && bytes.last() != Some(&b'\n') {
        bytes.clear();
        Read::take(&mut *input, LINE).read_until(b'\n', &mut bytes)?;
    }
    Ok(Frame::Wrong("a line is too long"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(framing: Framing, text: &str) -> Vec<Frame> {
        let mut input = text.as_bytes();
        let mut frames = Vec::new();
        loop {
            match framing.read(&mut input) {
                Frame::End => return frames,
                frame => frames.push(frame),
            }
        }
    }

    fn message(text: &str) -> Frame {
        Frame::Message(text.as_bytes().to_vec())
    }

    #[test]
    fn messages_have_headers() {
        let text = "Content-Length: 2\r\n\r\n{}Content-Type: x\r\ncontent-length: 1\r\n\r\n1";
        assert_eq!(all(Framing::Header, text), [message("{}"), message("1")]);
        let sent = String::from_utf8(Framing::Header.write("{}")).unwrap();
        assert_eq!(all(Framing::Header, &sent), [message("{}")]);
    }

    #[test]
    fn after_what_is_no_message_the_next_one_is_read() {
        for wrong in ["nonsense", "Content-Length: x", "Content-Length: 99999999999999", "Content-Length: -1"]
        {
            let frames = all(Framing::Header, &format!("{wrong}\r\n\r\nContent-Length: 2\r\n\r\n{{}}"));
            assert!(matches!(frames[..], [Frame::Wrong(_), Frame::Message(_)]), "{wrong}: {frames:?}");
        }
        let long = "x".repeat(10_000);
        let frames = all(Framing::Header, &format!("{long}\n\nContent-Length: 0\r\n\r\n"));
        assert_eq!(frames, [Frame::Wrong("a line is too long"), message("")]);
        assert_eq!(all(Framing::Header, "Content-Length: 9\r\n\r\n{}"), []);
    }

    #[test]
    fn lines_are_messages() {
        assert_eq!(all(Framing::Lines, "{}\n\n[1]"), [message("{}"), Frame::Wrong(""), message("[1]")]);
    }
}
