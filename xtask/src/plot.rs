//! A small line plot as SVG: named curves over two axes, each linear or logarithmic. Written by
//! hand, so that the benches need nothing to draw with.

use std::fmt::Write;

/// How numbers become lengths along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    Linear,
    /// Numbers below 1 are drawn as 1.
    Logarithmic,
}

/// What an axis says, and its scale.
#[derive(Debug, Clone)]
pub struct Axis {
    pub label: String,
    pub scale: Scale,
}

/// A named line through points.
#[derive(Debug, Clone)]
pub struct Curve {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

#[derive(Debug, Clone)]
pub struct Plot {
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub curves: Vec<Curve>,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 180.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
/// Colours that differ in lightness too.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

impl Axis {
    pub fn linear(label: &str) -> Axis {
        Axis { label: label.to_owned(), scale: Scale::Linear }
    }

    pub fn logarithmic(label: &str) -> Axis {
        Axis { label: label.to_owned(), scale: Scale::Logarithmic }
    }

    fn along(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => value,
            Scale::Logarithmic => value.max(1.0).log10(),
        }
    }

    /// Where the axis begins and ends, in its own measure.
    fn range(&self, values: impl Iterator<Item = f64>) -> (f64, f64) {
        let (low, high) = values
            .map(|v| self.along(v))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        match self.scale {
            _ if low > high => (0.0, 1.0),
            Scale::Logarithmic => (low.floor(), high.ceil().max(low.floor() + 1.0)),
            Scale::Linear if low == high => (low - 0.5, high + 0.5),
            Scale::Linear => (low, high),
        }
    }

    /// Marks of the axis: where, in its own measure, and what is written there.
    fn marks(&self, (low, high): (f64, f64)) -> Vec<(f64, String)> {
        match self.scale {
            Scale::Logarithmic => {
                let every = ((high - low) / 8.0).ceil().max(1.0);
                let count = ((high - low) / every) as usize;
                (0..=count).map(|k| low + k as f64 * every).map(|at| (at, number(10f64.powf(at)))).collect()
            }
            Scale::Linear => {
                let step = round_step((high - low) / 6.0);
                let first = (low / step).ceil() as i64;
                let last = (high / step).floor() as i64;
                (first..=last).map(|k| k as f64 * step).map(|at| (at, number(at))).collect()
            }
        }
    }
}

/// 1, 2 or 5 times a power of ten, not below `least`.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|k| k * power).find(|step| *step >= least).unwrap_or(10.0 * power)
}

fn number(value: f64) -> String {
    if value.fract().abs() > 1e-9 {
        return format!("{value:.2}").trim_end_matches('0').to_owned();
    }
    let digits = format!("{value:.0}");
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|g| std::str::from_utf8(g).ok()).collect();
    groups.join(",")
}

impl Plot {
    /// The plot as a file of its own.
    pub fn svg(&self) -> String {
        let all = || self.curves.iter().flat_map(|curve| curve.points.iter());
        let x = self.x.range(all().map(|p| p.0));
        let y = self.y.range(all().map(|p| p.1));
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
        );
        text(&mut out, (LEFT, TOP - 16.0), "start", 15, &self.title);
        self.axes(&mut out, x, y);
        for (k, curve) in self.curves.iter().enumerate() {
            let place = |p: &(f64, f64)| (across(self.x.along(p.0), x), up(self.y.along(p.1), y));
            let points: Vec<_> = curve.points.iter().map(place).collect();
            draw(&mut out, &points, COLOURS[k % COLOURS.len()], &curve.name, k);
        }
        out.push_str("</svg>\n");
        out
    }

    fn axes(&self, out: &mut String, x: (f64, f64), y: (f64, f64)) {
        let (floor, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
        for (at, mark) in self.x.marks(x) {
            let at = across(at, x);
            line(out, (at, TOP), (at, floor), "#dddddd");
            text(out, (at, floor + 16.0), "middle", 11, &mark);
        }
        for (at, mark) in self.y.marks(y) {
            let at = up(at, y);
            line(out, (LEFT, at), (right, at), "#dddddd");
            text(out, (LEFT - 6.0, at + 4.0), "end", 11, &mark);
        }
        line(out, (LEFT, floor), (right, floor), "#000000");
        line(out, (LEFT, TOP), (LEFT, floor), "#000000");
        text(out, ((LEFT + right) / 2.0, HEIGHT - 12.0), "middle", 12, &self.x.label);
        let middle = (TOP + floor) / 2.0;
        let _ = writeln!(
            out,
            "<text x=\"16\" y=\"{middle:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 16 {middle:.1})\">{}</text>",
            escaped(&self.y.label)
        );
    }
}

fn across(at: f64, (low, high): (f64, f64)) -> f64 {
    LEFT + (at - low) / (high - low) * (WIDTH - RIGHT - LEFT)
}

fn up(at: f64, (low, high): (f64, f64)) -> f64 {
    HEIGHT - BOTTOM - (at - low) / (high - low) * (HEIGHT - BOTTOM - TOP)
}

/// A curve with its points and its line of the legend.
fn draw(out: &mut String, points: &[(f64, f64)], colour: &str, name: &str, row: usize) {
    let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _ = writeln!(
        out,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
        path.join(" ")
    );
    for (x, y) in points {
        let _ = writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
    }
    let (x, y) = (WIDTH - RIGHT + 12.0, TOP + 8.0 + 18.0 * row as f64);
    line(out, (x, y), (x + 18.0, y), colour);
    text(out, (x + 24.0, y + 4.0), "start", 11, name);
}

fn line(out: &mut String, from: (f64, f64), to: (f64, f64), colour: &str) {
    let _ = writeln!(
        out,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\"/>",
        from.0, from.1, to.0, to.1
    );
}

fn text(out: &mut String, (x, y): (f64, f64), anchor: &str, size: u32, words: &str) {
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\">{}</text>",
        escaped(words)
    );
}

fn escaped(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(y: Axis, points: &[(f64, f64)]) -> String {
        let curves = vec![Curve { name: "a < b".to_owned(), points: points.to_vec() }];
        Plot { title: "t".to_owned(), x: Axis::linear("x"), y, curves }.svg()
    }

    #[test]
    fn powers_of_ten_lie_at_even_distances() {
        let svg = plot(Axis::logarithmic("y"), &[(0.0, 1.0), (1.0, 10.0), (2.0, 100.0)]);
        assert!(svg.contains("points=\"80.0,350.0 270.0,195.0 460.0,40.0\""), "{svg}");
        assert!(svg.contains("a &lt; b") && svg.contains(">100</text>"), "{svg}");
    }

    #[test]
    fn a_single_point_and_no_point_are_drawn() {
        assert!(plot(Axis::linear("y"), &[(3.0, 5.0)]).contains("<circle cx=\"270.0\" cy=\"195.0\""));
        assert!(plot(Axis::logarithmic("y"), &[]).ends_with("</svg>\n"));
    }

    #[test]
    fn steps_are_round_and_numbers_grouped() {
        assert_eq!([0.3, 1.0, 1.5, 4.0, 70.0].map(round_step), [0.5, 1.0, 2.0, 5.0, 100.0]);
        assert_eq!([1_234_567.0, 999.0, 2.5].map(number), ["1,234,567", "999", "2.5"]);
    }
}
