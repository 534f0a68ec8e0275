use shapes::answer::*; use shapes::space::Join; use std::time::Instant;
fn main() {
    let mut args = std::env::args().skip(1);
    let path = args.next().unwrap();
    let rest: Vec<String> = args.collect();
    let text = std::fs::read_to_string(&path).unwrap();
    let mut map = source::SourceMap::new();
    let file = map.add(&*path, &*text);
    let java = path.ends_with(".java");
    let (model, d) = if java { shapes::java::read(&map, file) } else { shapes::tvm::read(&map, file) };
    for x in &d { println!("{} {:?}", x.message, map.snippet(x.primary.span)); }
    let Some(model) = model else { return };
    let has = |w: &str| rest.iter().any(|r| r == w);
    let request = Request { join: if has("rel") || !java && !has("part") { Join::Relational } else { Join::Partial }, concrete_first: java && !has("abs"), reduce: !has("raw"), cross_check: has("cross"),
        selected: rest.iter().filter_map(|r| r.strip_prefix("p=")).map(String::from).collect(),
        max_states: rest.iter().find_map(|r| r.strip_prefix("max=")).map(|m| m.parse().unwrap()),
        ..Request::default() };
    println!("predicates {} actions {} places {}", model.vocabulary.predicates.len(), model.actions.len(), model.threads.iter().map(|t| t.places.len()).sum::<usize>());
    let mut r = model.clone(); shapes::reduce::reduce(&mut r, &properties(&model).iter().map(|(n,_)| n.clone()).filter(|n| request.selected.is_empty() || request.selected.contains(n)).collect::<Vec<_>>());
    println!("passing {} collects {}", r.passing.len(), r.collects);
    for t in &r.threads { println!("  {}: {:?}", t.name, t.places.iter().filter(|p| !r.passing.contains(p)).map(|p| r.vocabulary.name(*p)).collect::<Vec<_>>()); }
    if has("acts") { for a in &r.actions { println!("  {} [{}] -> {}  mover {}", a.from.map(|p| r.vocabulary.name(p)).unwrap_or(""), a.name, a.to.map(|p| r.vocabulary.name(p)).unwrap_or(""), a.mover); } }
    let t = Instant::now();
    let a = answer(&model, &request, &mut explore::Unwatched);
    let e = t.elapsed().as_secs_f64();
    println!("states {} expanded {} steps {} in {e:.2}s; tried {} broken {:?}", a.space.states.len(), a.space.expanded, a.space.steps, a.tried.states, a.tried.broken.len());
    for b in &a.tried.broken { println!("broken {:?} {}", b.promise, b.steps.len()); }
    for (p, s) in &a.relied_on { println!("assumes {} {s:?}", p.text(&model, &|span| map.snippet(span).to_string())); }
    let t = Instant::now(); shapes::obligation::examine(&model); println!("examined in {:.2}", t.elapsed().as_secs_f64());
    if let Some(c) = &a.checked { println!("cross {:?}", c.as_ref().map_err(|e| e.steps.iter().map(|s| model.actions[s.action].name.clone()).collect::<Vec<_>>())); }
    for p in &a.properties { match &p.verdict { Verdict::Holds => println!("{}: holds", p.name), Verdict::Violated(r) => { println!("{}: violated in {} steps", p.name, r.steps.len()); if has("run") { for s in &r.steps { println!("   {:?} {}", s.part.get(&0), model.actions[s.action].name); } } }
      Verdict::Unknown{reason, doubt} => { println!("{}: unknown {reason}", p.name); if let Some(d) = doubt { println!("  {} steps; {:?}", d.actions.len(), d.because); if has("run") { for a in &d.actions { println!("   {}", a.map(|a| model.actions[a].name.clone()).unwrap_or_default()); } } } } } }
    if has("dump") { for s in a.space.states.iter().take(40) { println!("--"); for u in 0..s.nodes { let l = model.vocabulary.layout(); print!(" {}:", u); for p in &model.vocabulary.predicates { if p.symbol.arity()==1 { match s.get(l, p.symbol, [u,0]) { shapes::kleene::Kleene::False => {}, v => print!(" {}{}", p.name, if v.must() {""} else {"=½"}) } } } println!(); } } }
}
