// One message as the reader sees it: a question in its bubble, or a reply with its thinking, its prose and what befell it.

import { el, icon, iconButton } from './dom.js';
import { copyText } from './clipboard.js';
import { Prose } from './prose.js';
import { speedOf } from './meter.js';

/** Shows one message; what the reader does with it goes to actions: edit, retry, choose(step). */
export class MessageView {
  #actions;
  #prose = new Prose();
  #thought = new ThoughtView();
  #calls = new CallsView();
  #note = el('p', { class: 'note' });
  #bar = el('div', { class: 'bar' });
  #barShown = '';
  #body = el('div', { class: 'body' });

  constructor(message, actions) {
    this.message = message;
    this.#actions = actions;
    const who = message.role === 'user' ? 'You' : 'Reply';
    this.node = el('article', { class: `message ${message.role}`, 'aria-label': who, 'data-id': message.id },
        el('h2', { class: 'unseen' }, who), this.#body, this.#bar);
  }

  /** Shows the message as it is now, with its place among siblings {all, at}. */
  update(place) {
    const { message } = this;
    const writing = message.finish === 'writing';
    this.node.classList.toggle('writing', writing);
    this.node.setAttribute('aria-busy', String(writing));
    if (message.role === 'user') this.#showQuestion();
    else this.#showReply(writing);
    // Left alone where it says the same, so that a focused button stays one.
    const bar = JSON.stringify([writing, place.at, place.all.length, factsOf(message)]);
    if (bar !== this.#barShown) this.#bar.replaceChildren(...(writing ? [] : this.#buttons(place)));
    this.#barShown = bar;
  }

  /** Shows what is new in a reply that is being written; the rest stays. */
  grow() {
    this.#showReply(true);
  }

  #showQuestion() {
    const { text, images } = this.message;
    this.#body.replaceChildren(...(images ?? []).map((src) => el('img', { src, alt: 'Attached picture', class: 'attached' })),
        ...(text ? [el('div', { class: 'asked', dir: 'auto' }, text)] : []));
  }

  #showReply(writing) {
    const { text, thought, calls, finish, problem } = this.message;
    this.#thought.show(thought ?? '', writing && !text, this.message.thinkingMs);
    this.#prose.show(this.message.json && text ? fenced(text, writing) : text);
    this.#note.replaceChildren(...noteOf(finish, problem, () => this.#actions.retry(this.message)));
    this.#note.className = problem ? 'note problem' : 'note';
    this.#calls.show(calls ?? [], writing);
    const waiting = writing && !text && !thought && !calls;
    const parts = [thought && this.#thought.node, waiting ? this.#waiting() : this.#prose.node, calls && this.#calls.node,
      this.#note.childNodes.length && this.#note].filter(Boolean);
    const shown = [...this.#body.childNodes];
    if (parts.length !== shown.length || parts.some((part, at) => part !== shown[at])) this.#body.replaceChildren(...parts);
  }

  #waiting() {
    this.dots ??= el('div', { class: 'waiting', role: 'img', 'aria-label': 'Waiting for the reply' }, el('i'), el('i'), el('i'));
    return this.dots;
  }

  #buttons({ all, at }) {
    const { message } = this;
    const copy = iconButton('copy', 'Copy', () => copyText(message.text, copy));
    const change = message.role === 'user'
      ? iconButton('edit', 'Edit and ask again', () => this.edit(), { 'data-do': 'edit' })
      : iconButton('retry', 'Reply again', () => this.#actions.retry(message), { 'data-do': 'retry' });
    return [...(all.length > 1 ? [this.#arrows(all, at)] : []), copy, change,
      el('span', { class: 'facts' }, message.role === 'user' ? '' : factsOf(message))];
  }

  #arrows(all, at) {
    const step = (by, name, label) => iconButton(name, label, () => this.#actions.choose(all[at + by], by),
        { disabled: !all[at + by], 'data-step': by });
    return el('span', { class: 'arrows', role: 'group', 'aria-label': `Version ${at + 1} of ${all.length}` },
        step(-1, 'branchLeft', 'Earlier version'), el('span', {}, `${at + 1} / ${all.length}`),
        step(1, 'branchRight', 'Later version'));
  }

  /** Turns the question into a field; sending it asks anew beside the old question. */
  edit() {
    const { text } = this.message;
    const area = el('textarea', { class: 'editing', value: text, 'aria-label': 'Edit your message', rows: 1 });
    const done = () => {
      this.node.classList.remove('edited');
      this.#showQuestion();
      this.#bar.hidden = false;
      this.#bar.querySelector('[data-do=edit]')?.focus();
    };
    const send = () => {
      const changed = area.value.trim();
      done();
      if (changed) this.#actions.edit(this.message, changed);
    };
    area.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') {
        event.stopPropagation();
        done();
      }
      if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        send();
      }
    });
    this.node.classList.add('edited');
    this.#bar.hidden = true;
    this.#body.replaceChildren(area, el('div', { class: 'row' },
        el('button', { type: 'button', class: 'quiet', onclick: done }, 'Cancel'),
        el('button', { type: 'button', class: 'primary', onclick: send }, 'Send')));
    area.focus();
    area.setSelectionRange(text.length, text.length);
  }
}

/** Thinking, open while it is all there is, folded once the answer begins; who opens or closes it is obeyed. */
class ThoughtView {
  #prose = new Prose();
  #label = el('span');
  #touched = false;

  constructor() {
    const summary = el('summary', { onclick: () => (this.#touched = true) }, icon('branchRight'), this.#label);
    this.node = el('details', { class: 'thought' }, summary, this.#prose.node);
  }

  show(thought, going, milliseconds) {
    if (!thought) return;
    this.#prose.show(thought);
    this.node.classList.toggle('going', going);
    if (!this.#touched) this.node.open = going;
    this.#label.textContent = going ? 'Thinking' : milliseconds >= 950 ? `Thought for ${duration(milliseconds)}` : 'Thought';
  }
}

/** The tools that a reply calls, each with its arguments; nothing here runs them. */
class CallsView {
  #shown = [];

  node = el('div', { class: 'calls' });

  show(calls, writing) {
    for (const [at, call] of [...calls].entries()) {
      if (!call) continue;
      if (!this.#shown[at]) {
        const prose = new Prose();
        const name = el('code');
        this.#shown[at] = { prose, name };
        this.node.append(el('section', { class: 'call', 'aria-label': 'Call of a tool' }, el('p', {}, 'Calls ', name), prose.node));
      }
      this.#shown[at].name.textContent = call.name;
      this.#shown[at].prose.show(call.arguments ? fenced(call.arguments, writing) : '');
    }
  }
}

/** JSON as the code that it is, in lines once it is whole. */
function fenced(text, writing) {
  let lines = text;
  if (!writing) {
    try {
      lines = JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      // Cut short: shown as it came.
    }
  }
  return `\`\`\`\`json\n${lines}\n\`\`\`\``;
}

function duration(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const ENDINGS = {
  stopped: 'Stopped.',
  length: 'The reply reached its greatest length.',
  interrupted: 'The page was left while this was being written.',
};

function noteOf(finish, problem, retry) {
  const said = problem ?? ENDINGS[finish];
  if (!said) return [];
  return problem ? [el('span', {}, said), el('button', { type: 'button', class: 'quiet', onclick: retry }, 'Try again')] : [said];
}

function factsOf({ model, usage, milliseconds }) {
  const speed = speedOf(usage, milliseconds);
  return [model, usage?.completion_tokens && `${usage.completion_tokens} tokens`, speed && `${speed} tokens/s`]
      .filter(Boolean).join(' · ');
}
