// How full the context is and how fast the last reply came.

import { byId } from './dom.js';

/** Tokens a second between the first token and the last, or nothing when too few came to tell. */
export function speedOf(usage, milliseconds) {
  if (!(usage?.completion_tokens > 1) || !(milliseconds > 0)) return undefined;
  const speed = (usage.completion_tokens - 1) / (milliseconds / 1000);
  return speed >= 100 ? Math.round(speed).toLocaleString('en') : speed.toFixed(1);
}

/** Shows the tokens of the conversation against the model's context; usage is that of the last reply, if any. */
export function showMeter(usage, context, milliseconds) {
  const used = usage ? usage.prompt_tokens + usage.completion_tokens : 0;
  const share = context ? Math.min(1, used / context) : 0;
  const meter = byId('context');
  meter.hidden = !context && !used;
  meter.setAttribute('aria-valuenow', used);
  meter.setAttribute('aria-valuemax', context || used);
  const number = (value) => value.toLocaleString('en');
  const said = context ? `${number(used)} of ${number(context)} tokens` : `${number(used)} tokens`;
  meter.setAttribute('aria-valuetext', said);
  meter.classList.toggle('full', share > 0.9);
  byId('context-fill').style.width = `${(share * 100).toFixed(1)}%`;
  byId('context-text').textContent = said;
  showSpeed(speedOf(usage, milliseconds));
}

/** While a reply is written, its parts stand for tokens: most servers send one in each. */
export function showLiveSpeed({ ticks, milliseconds }) {
  if (milliseconds > 500) showSpeed(speedOf({ completion_tokens: ticks }, milliseconds));
}

function showSpeed(speed) {
  byId('speed').textContent = speed ? `${speed} tokens/s` : '';
}
