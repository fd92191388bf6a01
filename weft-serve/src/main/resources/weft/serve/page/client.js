// The server as the page sees it: its models, its health, and a reply as a stream of parts. What goes wrong is a Problem,
// whose message is a sentence for the reader.

import { events } from './sse.js';

/** kind: away (no answer), key, busy, context, refused, broken (ended midway). */
export class Problem extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

const AWAY = 'The server cannot be reached.';
const BROKEN = 'The connection broke before the reply was whole.';

export class Client {
  /** key: a function that gives the API key, or nothing. */
  constructor(key) {
    this.key = key;
  }

  async #fetch(address, init = {}) {
    const key = this.key();
    const headers = { ...(init.body && { 'Content-Type': 'application/json' }), ...(key && { Authorization: `Bearer ${key}` }) };
    let response;
    try {
      response = await fetch(new URL(address, document.baseURI), { cache: 'no-store', ...init, headers });
    } catch (failure) {
      if (failure.name === 'AbortError') throw failure;
      throw new Problem('away', AWAY);
    }
    if (!response.ok) throw await problemOf(response);
    return response;
  }

  async healthy() {
    try {
      await this.#fetch('health');
      return true;
    } catch (problem) {
      return problem.kind !== 'away' && problem.kind !== 'busy';
    }
  }

  /** The models served, each {id, context, images}; context is 0 where the server does not say. */
  async models() {
    const { data } = await (await this.#fetch('v1/models')).json();
    return data.map((model) => ({
      id: model.id,
      context: model.context_length ?? model.max_model_len ?? model.meta?.n_ctx_train ?? 0,
      images: [...(model.capabilities ?? []), ...(model.input_modalities ?? [])].some((can) => /^(image|vision)/.test(can)),
    }));
  }

  /** The parts of a reply as they come: {thought}, {text}, {call}, {finish}, {usage}; a call's arguments come in pieces. */
  async *reply(request, signal) {
    const response = await this.#fetch('v1/chat/completions', {
      method: 'POST',
      signal,
      body: JSON.stringify({ ...request, stream: true, stream_options: { include_usage: true } }),
    });
    let whole = false;
    try {
      for await (const data of events(response.body)) {
        if (data === '[DONE]') {
          whole = true;
          break;
        }
        const part = JSON.parse(data);
        if (part.error) throw new Problem('refused', sentence(part.error.message ?? 'The server gave up on this reply.'));
        yield* partsOf(part);
      }
    } catch (failure) {
      if (failure instanceof Problem || failure.name === 'AbortError') throw failure;
      throw new Problem('broken', BROKEN);
    }
    if (!whole) throw new Problem('broken', BROKEN);
  }
}

function* partsOf(part) {
  const choice = part.choices?.[0];
  const thought = choice?.delta?.reasoning_content ?? choice?.delta?.reasoning;
  if (thought) yield { thought };
  if (choice?.delta?.content) yield { text: choice.delta.content };
  for (const { index = 0, function: called } of choice?.delta?.tool_calls ?? []) {
    yield { call: { index, name: called?.name ?? '', arguments: called?.arguments ?? '' } };
  }
  if (choice?.finish_reason) yield { finish: choice.finish_reason };
  if (part.usage) yield { usage: part.usage };
}

async function problemOf(response) {
  const error = await response.json().then((body) => body.error ?? {}, () => ({}));
  const said = error.message ? sentence(error.message) : '';
  const seconds = Number(response.headers.get('Retry-After'));
  switch (response.status) {
    case 401:
      return new Problem('key', 'The server wants an API key.');
    case 413:
      return new Problem('refused', said || 'This is more than the server takes in one request.');
    case 429:
    case 503:
      return new Problem('busy', seconds > 0
        ? `The server is busy and asks to try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`
        : 'The server is busy. Try again in a moment.');
    default:
      if (error.code === 'context_length_exceeded') {
        return new Problem('context', `${said} Start a new chat, or edit an earlier message to make this one shorter.`);
      }
      return new Problem('refused', said || `The server answered with status ${response.status}.`);
  }
}

/** A server's message as a sentence: a capital letter, a full stop. */
function sentence(text) {
  const trimmed = String(text).trim();
  const begun = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
