// Where the reader writes: a field that grows, one button that sends or stops.

import { byId, icon } from './dom.js';

/** On a phone the return key makes lines, as everywhere there. */
const touch = matchMedia('(hover: none) and (pointer: coarse)');

export class Composer {
  #field = byId('message');
  #button = byId('send');
  #writing = false;

  constructor({ send, stop, editLast }) {
    byId('composer').addEventListener('submit', (event) => {
      event.preventDefault();
      if (this.#writing) stop();
      else send();
    });
    this.#field.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && !event.shiftKey && !event.isComposing && !touch.matches) {
        event.preventDefault();
        if (!this.#writing) send();
      } else if (event.key === 'ArrowUp' && this.#field.value === '') {
        event.preventDefault();
        editLast();
      }
    });
    this.#field.addEventListener('input', () => this.fit());
  }

  get text() {
    return this.#field.value;
  }

  set text(text) {
    this.#field.value = text;
    this.fit();
  }

  focus() {
    if (!touch.matches) this.#field.focus();
  }

  /** While a reply is written the button stops it. */
  writing(writing) {
    this.#writing = writing;
    this.#button.setAttribute('aria-label', writing ? 'Stop' : 'Send');
    this.#button.title = writing ? 'Stop (Escape)' : 'Send (Enter)';
    this.#button.classList.toggle('stop', writing);
    this.#button.replaceChildren(icon(writing ? 'stop' : 'send'));
    this.fit();
  }

  /** Fits the field to its text, and lets the button be pressed when there is something to send. */
  fit() {
    this.#button.disabled = !this.#writing && this.#field.value.trim() === '' && byId('pictures').hidden;
    // Browsers without field-sizing grow the field by hand.
    if (CSS.supports('field-sizing', 'content')) return;
    this.#field.style.height = 'auto';
    this.#field.style.height = `${this.#field.scrollHeight}px`;
  }
}
