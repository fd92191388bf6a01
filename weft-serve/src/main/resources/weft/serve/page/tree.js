// A conversation is a tree of messages: an edited question and a second answer are siblings of the first. What is shown is
// the path of chosen children from the root. No browser in here: plain data in, plain data out.

export const VERSION = 1;

/** A name no other message or conversation has; randomUUID is absent where the page came over plain HTTP. */
export function freshId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, '0')).join('');
}

export function freshConversation(options = {}) {
  const now = Date.now();
  return { version: VERSION, id: freshId(), title: '', created: now, updated: now, chosen: null,
    options: { ...options }, messages: [] };
}

export const find = (conversation, id) => conversation.messages.find((message) => message.id === id);

/** The children of a message (of the root: null), oldest first. */
export const children = (conversation, parent) =>
    conversation.messages.filter((message) => message.parent === parent);

/** The messages that are shown, first to last. */
export function path(conversation) {
  const byId = new Map(conversation.messages.map((message) => [message.id, message]));
  const shown = [];
  let next = byId.get(conversation.chosen);
  while (next && shown.length <= byId.size) {
    shown.push(next);
    next = byId.get(next.chosen);
  }
  return shown;
}

/** Adds a message below a parent (null: the root) and shows it. */
export function add(conversation, parent, message) {
  const added = { id: freshId(), parent, chosen: null, time: Date.now(), ...message };
  conversation.messages.push(added);
  choose(conversation, added);
  return added;
}

/** Takes a message out; it is remembered, so that no other tab brings it back. */
export function drop(conversation, message) {
  conversation.messages = conversation.messages.filter((other) => other !== message);
  (conversation.gone ??= []).push(message.id);
}

/**
 * Takes over what another tab has kept of the same conversation: messages that are not here, and more of those that are. What
 * is shown, the title and the options stay as they are here.
 */
export function absorb(conversation, kept) {
  const gone = new Set([...(conversation.gone ?? []), ...(kept.gone ?? [])]);
  if (gone.size) conversation.gone = [...gone];
  for (const theirs of kept.messages) {
    if (gone.has(theirs.id)) continue;
    const ours = find(conversation, theirs.id);
    if (!ours) conversation.messages.push(theirs);
    else if (weight(theirs) > weight(ours)) Object.assign(ours, theirs, { chosen: ours.chosen });
  }
  conversation.messages = conversation.messages.filter(({ id }) => !gone.has(id));
}

/** Of two versions of a message the one that says more is the later; and one that has ended, of two that say the same. */
function weight({ text, thought, calls, finish }) {
  const said = (text ?? '').length + (thought ?? '').length + JSON.stringify(calls ?? []).length;
  return 2 * said + (finish === 'writing' || finish === 'interrupted' ? 0 : 1);
}

/** Shows this message among its siblings, and below it what was shown there last. */
export function choose(conversation, message) {
  const parent = message.parent === null ? conversation : find(conversation, message.parent);
  parent.chosen = message.id;
}

/** Where a message stands among its siblings: {all, at}. */
export function siblings(conversation, message) {
  const all = children(conversation, message.parent);
  return { all, at: all.findIndex((other) => other.id === message.id) };
}

/** What comes before a message on its own branch, the message itself left out. */
export function before(conversation, message) {
  const earlier = [];
  for (let at = find(conversation, message.parent); at; at = find(conversation, at.parent)) earlier.unshift(at);
  return earlier;
}

const LONGEST_TITLE = 60;

/** A title from the first question, until someone gives a better one. */
export function titleOf(conversation) {
  if (conversation.title) return conversation.title;
  const first = conversation.messages.find((message) => message.role === 'user');
  const line = (first?.text ?? '').trim().split('\n')[0].trim();
  if (!line) return first?.images?.length ? 'A picture' : 'New chat';
  return line.length <= LONGEST_TITLE ? line : line.slice(0, LONGEST_TITLE - 1).trimEnd() + '…';
}

/** Whether every word is in the title or in some message, on any branch. */
export function matches(conversation, words) {
  const text = [titleOf(conversation), ...conversation.messages.map((message) => message.text)].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

export const wordsOf = (query) => query.toLowerCase().split(/\s+/).filter(Boolean);
