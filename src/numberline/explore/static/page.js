// The model's facts → all sections of the page.

import { ask, isOffline } from "./ask.js";
import { html } from "./draw.js";
import { startMap } from "./map.js";
import { startNumber } from "./number.js";
import { startSentence } from "./sentence.js";
import { startWords } from "./words.js";

const grouped = (value) => Number(value).toLocaleString("en-US");
const find = (id) => document.getElementById(id);

function facts(about) {
  const { tokens, seconds } = about.training;
  const prototypes = about.prototypes.length;
  const all = [
    ["Corpus", `${grouped(about.tokens)} tokens in ${grouped(about.sentences)} sentences`],
    ["Words", grouped(about.words)],
    ["Numerals", `${grouped(about.numeral_tokens)}, ${grouped(about.distinct_numerals)} distinct`],
    ["Encoder", about.encoder + (prototypes ? `, ${grouped(prototypes)} prototypes` : "")],
    ["Dimensions", grouped(about.dim)],
  ];
  if (tokens && seconds) {
    const speed = grouped(Math.round(tokens / seconds));
    all.push(["Training", `${speed} tokens a second, ${seconds.toFixed(1)} s`]);
  }
  return all.map(([name, value]) => html("div", {}, html("dt", {}, name), html("dd", {}, value)));
}

try {
  const about = await ask("about");
  document.title = `${about.name} · numberline`;
  find("model-name").textContent = `${about.name}: ${grouped(about.words)} words, every number`;
  find("facts").replaceChildren(...facts(about));
  document.body.classList.toggle("offline", isOffline);
  startNumber(about);
  startSentence(about);
  startWords(about);
  startMap();
  document.body.dataset.ready = "true";
} catch (error) {
  find("number-error").textContent = error.message;
}
