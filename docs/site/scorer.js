// What is found in which order: headings and index entries before text, explanations before lists of names.
var Scorer = {
  score: ([docname, title, anchor, descr, score]) => {
    if (/^project\/(changelog|contributing|architecture|tests|templates)/.test(docname)) return score - 60;
    if (/^gallery\//.test(docname)) return score - 30;
    if (/^reference\/python\//.test(docname)) return score - 10;
    return score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
