// Conversations as a file and back. A file may come from anyone: every field is checked and rebuilt, none is copied blindly.

import { cleaned } from './options.js';
import { freshId, VERSION } from './tree.js';

const FORMAT = 'weft-conversations';
const LARGEST_FILE = 256 * 1024 * 1024;
const PICTURE = /^data:image\/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/=]+$/;

/** The text of a file that holds these conversations. */
export function written(conversations) {
  return JSON.stringify({ format: FORMAT, version: VERSION, conversations }, null, 1);
}

/** The conversations of a file; throws an Error whose message is a sentence. */
export function read(text) {
  let file;
  try {
    file = JSON.parse(text);
  } catch {
    throw new Error('This file is not JSON. Choose one that was exported from here.');
  }
  if (file?.format !== FORMAT || !Array.isArray(file.conversations)) {
    throw new Error('This JSON holds no conversations of Weft. Choose a file that was exported from here.');
  }
  if (file.version !== VERSION) {
    throw new Error(`This file has version ${JSON.stringify(file.version)}; this page reads version ${VERSION}.`);
  }
  return file.conversations.map(conversationOf);
}

export async function readFile(file) {
  if (file.size > LARGEST_FILE) throw new Error('This file is larger than 256 MiB, more than the browser could keep.');
  return read(await file.text());
}

/** Hands a text to the reader as a download. */
export function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function conversationOf(given, at) {
  if (!Array.isArray(given?.messages)) throw new Error(`Conversation ${at + 1} of this file has no messages.`);
  // Fresh names throughout: an import never overwrites what is here, and can be repeated.
  const ids = new Map(given.messages.map((message) => [message?.id, freshId()]));
  const seen = new Set();
  const messages = given.messages.map((message) => {
    const sound = typeof message?.id === 'string' && (message.role === 'user' || message.role === 'assistant')
        && (message.parent === null || seen.has(message.parent)) && !seen.has(message.id);
    if (!sound) throw new Error(`Conversation ${at + 1} of this file has a message that does not belong anywhere.`);
    seen.add(message.id);
    return {
      id: ids.get(message.id),
      parent: message.parent === null ? null : ids.get(message.parent),
      chosen: ids.get(message.chosen) ?? null,
      time: timeOf(message.time),
      role: message.role,
      text: textOf(message.text),
      ...(message.thought && { thought: textOf(message.thought) }),
      ...(Array.isArray(message.calls) && { calls: message.calls.map(callOf) }),
      ...(message.model && { model: textOf(message.model) }),
      ...(message.json === true && { json: true }),
      ...(message.finish && { finish: textOf(message.finish) }),
      ...(Array.isArray(message.images) && { images: message.images.filter((image) => PICTURE.test(image)) }),
    };
  });
  return {
    version: VERSION, id: freshId(), title: textOf(given.title), created: timeOf(given.created),
    updated: timeOf(given.updated), chosen: ids.get(given.chosen) ?? messages[0]?.id ?? null,
    options: cleaned(given.options), messages,
  };
}

const callOf = (call) => ({ name: textOf(call?.name), arguments: textOf(call?.arguments) });
const textOf = (value) => (typeof value === 'string' ? value : '');
const timeOf = (value) => (Number.isFinite(value) && value >= 0 ? value : Date.now());
