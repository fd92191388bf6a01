// The conversation that is open, and what can be done with it: ask, stop, ask again, edit, go to another branch. One reply
// is written at a time; it is saved as it grows, so that a page that goes away keeps what came.

import { Problem } from './client.js';
import { asksForJson, requestOf } from './options.js';
import { add, before, choose, drop, find, path } from './tree.js';

const SAVED_EVERY = 1000;

export class Chat {
  #client;
  #listener;
  #running;

  /** listener: changed(), grown(message, clock), save(conversation), writing(bool), ended(message, problem). */
  constructor(client, conversation, listener) {
    this.#client = client;
    this.conversation = conversation;
    this.#listener = listener;
    this.model = '';
  }

  get writing() {
    return this.#running !== undefined;
  }

  /** Opens another conversation; a reply that was being written stops. */
  open(conversation) {
    this.stop();
    this.conversation = conversation;
    // What says it is being written was left behind by a page that went away.
    for (const message of conversation.messages) {
      if (message.finish === 'writing') message.finish = 'interrupted';
    }
    this.#listener.changed();
  }

  ask(text, images = []) {
    const last = path(this.conversation).at(-1);
    this.#askBelow(last?.id ?? null, text, images);
  }

  /** The question asked differently, beside the old one. */
  edit(message, text) {
    this.stop();
    this.#askBelow(message.parent, text, message.images ?? []);
  }

  #askBelow(parent, text, images) {
    const question = add(this.conversation, parent, { role: 'user', text, ...(images.length && { images }) });
    this.#reply(question);
  }

  /** Another reply beside this one; one that failed before its first word is replaced. */
  retry(message) {
    this.stop();
    const question = find(this.conversation, message.parent);
    if (message.problem && !message.text && !message.thought) drop(this.conversation, message);
    this.#reply(question);
  }

  choose(message) {
    this.stop();
    choose(this.conversation, message);
    this.#listener.changed();
    this.#listener.save(this.conversation);
  }

  stop() {
    this.#running?.abort();
  }

  async #reply(question) {
    const { conversation, model } = this;
    const running = new AbortController();
    this.#running = running;
    const asked = [...before(conversation, question), question].filter(({ text, images }) => text || images?.length);
    const message = add(conversation, question.id, {
      role: 'assistant', text: '', model, finish: 'writing', ...(asksForJson(conversation.options) && { json: true }),
    });
    conversation.updated = Date.now();
    this.#listener.changed();
    this.#listener.writing(true);
    this.#listener.save(conversation);
    const clock = new Clock();
    let saved = 0;
    let problem;
    try {
      for await (const part of this.#client.reply(requestOf(model, conversation.options, asked), running.signal)) {
        if (running.signal.aborted) break;
        take(message, part, clock);
        this.#listener.grown(message, clock);
        if (Date.now() - saved > SAVED_EVERY) {
          saved = Date.now();
          this.#listener.save(conversation);
        }
      }
    } catch (failure) {
      if (failure.name !== 'AbortError') problem = known(failure);
    }
    end(message, running.signal.aborted, problem);
    message.milliseconds = clock.milliseconds;
    conversation.updated = Date.now();
    if (this.#running === running) {
      this.#running = undefined;
      this.#listener.writing(false);
    }
    this.#listener.changed();
    this.#listener.save(conversation);
    this.#listener.ended(message, problem);
  }
}

/** When the first part came and when the last, and how many came. */
class Clock {
  #first;
  #last;

  ticks = 0;

  tick() {
    this.ticks++;
    this.#last = performance.now();
    this.#first ??= this.#last;
  }

  get milliseconds() {
    return this.#first === undefined ? 0 : Math.round(this.#last - this.#first);
  }
}

function take(message, part, clock) {
  if (part.thought) {
    clock.tick();
    message.thought = (message.thought ?? '') + part.thought;
    message.thinkingMs = clock.milliseconds;
  }
  if (part.text) {
    clock.tick();
    message.text += part.text;
  }
  if (part.call) {
    clock.tick();
    const calls = (message.calls ??= []);
    const call = (calls[part.call.index] ??= { name: '', arguments: '' });
    call.name += part.call.name;
    call.arguments += part.call.arguments;
  }
  if (part.finish) message.end = part.finish;
  if (part.usage) message.usage = { prompt_tokens: part.usage.prompt_tokens, completion_tokens: part.usage.completion_tokens };
}

function end(message, aborted, problem) {
  message.finish = aborted ? 'stopped' : problem ? problem.kind : message.end ?? 'stop';
  delete message.end;
  if (problem) message.problem = problem.message;
}

const known = (failure) =>
    failure instanceof Problem ? failure : new Problem('refused', 'Something the server sent could not be understood.');
