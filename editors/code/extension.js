// Starts `weave lsp` for the texts that it knows. Everything else is in the server.

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const LANGUAGES = ["promela", "spl", "fts", "tvm"];

let client;

async function activate() {
  const settings = vscode.workspace.getConfiguration("weave");
  const server = { command: settings.get("path"), args: ["lsp", ...settings.get("arguments")] };
  const documentSelector = LANGUAGES.flatMap((language) => [
    { scheme: "file", language },
    { scheme: "untitled", language },
  ]);
  client = new LanguageClient("weave", "Weave", server, { documentSelector });
  await client.start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
