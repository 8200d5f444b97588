// Sets formulas for katex.py: a line of JSON in, {tex, display}; a line out, {html} or {error}.
"use strict";
const katex = require(process.argv[2]);
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const { tex, display } = JSON.parse(line);
  let answer;
  try {
    const html = katex.renderToString(tex, { displayMode: display, output: "htmlAndMathml", strict: "error", trust: false });
    // MathML is for readers that speak; its annotation would be TeX in the page.
    answer = { html: html.replace(/<annotation.*?<\/annotation>/gs, "") };
  } catch (error) {
    answer = { error: String(error.message) };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
});
