// Watches whether the server is there: asks now and then while the page is seen, more often once it was lost.

import { banner, toast } from './notices.js';

const QUIET_PAUSE = 20_000;
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8_000;

export class Connection {
  #client;
  #onBack;
  #away = false;
  #timer;
  #pause = FIRST_PAUSE;

  constructor(client, onBack) {
    this.#client = client;
    this.#onBack = onBack;
    this.#later(QUIET_PAUSE);
    document.addEventListener('visibilitychange', () => document.hidden || this.#later(0));
  }

  /** Someone met a server that does not answer. */
  lost() {
    if (this.#away) return;
    this.#away = true;
    this.#pause = FIRST_PAUSE;
    banner('The server cannot be reached. What you wrote is kept here; trying again…');
    this.#later(this.#pause);
  }

  /** Asks now, because something looked as if the server had gone. */
  check() {
    this.#later(0);
  }

  #later(pause) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(), pause);
  }

  async #check() {
    if (document.hidden && !this.#away) return;
    const there = await this.#client.healthy();
    if (there && this.#away) {
      this.#away = false;
      banner('');
      toast('The server is back.');
      this.#onBack();
    } else if (!there && !this.#away) {
      this.lost();
      return;
    }
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
    this.#later(this.#away ? this.#pause : QUIET_PAUSE);
  }
}
