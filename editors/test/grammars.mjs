// The grammars as an editor uses them: every expression compiles, and each line of the samples is
// cut into the scopes that stand below it. Every text of the corpus is read to its end.
//
//   node grammars.mjs ROOT

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(import.meta.url);
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const root = process.argv[2];
const wasm = readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
await oniguruma.loadWASM(wasm);

const extension = JSON.parse(readFileSync(join(root, "editors/code/package.json"), "utf8"));
const { grammars, languages } = extension.contributes;
const failures = [];
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => {
      const scanner = new oniguruma.OnigScanner(patterns);
      return scanner;
    },
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) => {
    const entry = grammars.find((grammar) => grammar.scopeName === scope);
    const path = join(root, "editors/code", entry.path);
    return textmate.parseRawGrammar(readFileSync(path, "utf8"), path);
  },
});

/** The tokens of a text with more than the scope of the language. */
function tokens(grammar, text) {
  const found = [];
  let stack = textmate.INITIAL;
  for (const line of text.split("\n")) {
    const read = grammar.tokenizeLine(line, stack);
    assert.ok(!read.stoppedEarly, line);
    stack = read.ruleStack;
    for (const { startIndex, endIndex, scopes } of read.tokens) {
      if (scopes.length > 1) found.push([line.slice(startIndex, endIndex), scopes.at(-1)]);
    }
  }
  return { found, depth: stack.depth };
}

const samples = {
  promela: [
    ["active proctype User() { byte x; do :: x < 3 -> x++ od }", [
      ["active", "keyword.declaration.promela"], ["proctype", "keyword.declaration.promela"],
      ["User", "entity.name.function.promela"], ["byte", "storage.type.promela"],
      ["do", "keyword.control.promela"], ["::", "keyword.operator.promela"], ["3", "constant.numeric.promela"],
    ]],
    ["#define busy (n > 0) /* here */", [
      ["#define", "keyword.control.directive.promela"], ["0", "constant.numeric.promela"],
      [" here ", "comment.block.promela"],
    ]],
    ["enter: goto enter // again", [["enter", "entity.name.label.promela"], ["goto", "keyword.control.promela"]]],
    ["ltl safe { [] p }", [["ltl", "keyword.declaration.promela"], ["safe", "entity.name.function.promela"]]],
  ],
  spl: [
    ["P1:: [ l0: await y /\\ x = 1 ] % waits", [
      ["P1", "entity.name.class.spl"], ["l0", "entity.name.label.spl"], ["await", "keyword.control.spl"],
      ["% waits", "comment.line.spl"],
    ]],
    ["PROPERTY safe : [] (x >= 0)", [["PROPERTY", "keyword.declaration.spl"], ["safe", "entity.name.function.spl"]]],
    ["local x : int where x = 0", [["local", "keyword.declaration.spl"], ["int", "storage.type.spl"]]],
  ],
  fts: [
    ["Transition up Just: enable x < 3 assign x := x + 1", [
      ["Transition", "keyword.declaration.fts"], ["up", "entity.name.function.fts"],
      ["enable", "keyword.declaration.fts"], [":=", "keyword.operator.fts"],
    ]],
  ],
  tvm: [
    ["predicate held_by(l, t) function", [
      ["predicate", "keyword.declaration.tvm"], ["held_by", "entity.name.function.tvm"],
      ["function", "storage.modifier.tvm"],
    ]],
    ["action take { when !taken  taken := 1 }", [["take", "entity.name.function.tvm"], ["when", "keyword.control.tvm"]]],
  ],
};

let read = 0;
for (const { language, scopeName } of grammars) {
  const grammar = await registry.loadGrammar(scopeName);
  for (const [text, expected] of samples[language]) {
    const { found } = tokens(grammar, text);
    for (const [word, scope] of expected) {
      const there = found.some(([text, of]) => text.trim() === word.trim() && of.startsWith(scope));
      if (!there) failures.push(`${language}: \`${word}\` is not ${scope} in \`${text}\`: ${JSON.stringify(found)}`);
    }
  }
  const endings = languages.find(({ id }) => id === language).extensions;
  for (const folder of ["promela", "spl", "shapes"]) {
    for (const file of readdirSync(join(root, "models", folder))) {
      if (!endings.some((ending) => file.endsWith(ending))) continue;
      const { found, depth } = tokens(grammar, readFileSync(join(root, "models", folder, file), "utf8"));
      // A text that ends inside of a comment or a string was read wrongly.
      if (depth !== 1 || found.length === 0) failures.push(`${file} ends inside of something`);
      read += 1;
    }
  }
}
if (failures.length > 0) {
  console.error(failures.join("\n"));
  process.exit(1);
}
console.log(`${grammars.length} grammars, ${read} texts`);
