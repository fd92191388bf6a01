// What a conversation may ask of the model: the system prompt, sampling, the form of the answer. A field left empty is not
// sent, so the server's own default holds.

/** The numbers, in the order they are shown. least and most are the server's documented ranges. */
export const NUMBERS = [
  { name: 'temperature', label: 'Temperature', least: 0, most: 2, step: 0.05, hint: 'Lower is steadier, higher is freer.' },
  { name: 'top_p', label: 'Top p', least: 0, most: 1, step: 0.01, hint: 'Keeps the likeliest tokens up to this share.' },
  { name: 'top_k', label: 'Top k', least: 0, most: 1000, step: 1, hint: 'Keeps this many of the likeliest tokens.' },
  { name: 'min_p', label: 'Min p', least: 0, most: 1, step: 0.01, hint: 'Drops tokens this much less likely than the best.' },
  { name: 'presence_penalty', label: 'Presence penalty', least: -2, most: 2, step: 0.1, hint: 'Above 0 favours what is new.' },
  { name: 'frequency_penalty', label: 'Frequency penalty', least: -2, most: 2, step: 0.1, hint: 'Above 0 discourages repeats.' },
  { name: 'max_tokens', label: 'Longest reply', least: 1, most: 1_000_000, step: 1, hint: 'In tokens.' },
  { name: 'seed', label: 'Seed', least: 0, most: 2_147_483_647, step: 1, hint: 'The same seed gives the same reply.' },
];

const THINKING = ['default', 'on', 'off'];

/** Only what we know, within its range: options also come from files that people import. */
export function cleaned(options) {
  const kept = {};
  for (const { name, least, most, step } of NUMBERS) {
    const value = options?.[name];
    const fits = typeof value === 'number' && value >= least && value <= most && (step < 1 || Number.isInteger(value));
    if (fits) kept[name] = value;
  }
  for (const name of ['system', 'stop', 'schema']) {
    if (typeof options?.[name] === 'string' && options[name].trim()) kept[name] = options[name];
  }
  if (THINKING.includes(options?.thinking) && options.thinking !== 'default') kept.thinking = options.thinking;
  return kept;
}

/** What is wrong with the text of a JSON schema, as a sentence, or '' when nothing is. */
export function schemaProblem(text) {
  if (!text.trim()) return '';
  try {
    const schema = JSON.parse(text);
    const fits = typeof schema === 'boolean' || (typeof schema === 'object' && schema !== null && !Array.isArray(schema));
    return fits ? '' : 'A JSON schema is an object, such as {"type": "object"}.';
  } catch (failure) {
    return `This is not JSON yet: ${failure.message}.`;
  }
}

/** Whether the answer has the form of a schema, so that it is JSON. */
export const asksForJson = ({ schema }) => Boolean(schema?.trim()) && !schemaProblem(schema);

/** The body of a request: model, messages of the shown path, and what of the options is set. */
export function requestOf(model, options, messages) {
  const { system, stop, schema, thinking, ...numbers } = cleaned(options);
  return {
    ...(model && { model }),
    messages: [...(system ? [{ role: 'system', content: system }] : []), ...inTurns(messages).map(messageOf)],
    ...numbers,
    ...(stop && { stop: stop.split('\n').filter((line) => line !== '') }),
    ...(thinking && { enable_thinking: thinking === 'on' }),
    ...(schema && asksForJson({ schema }) && {
      response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: JSON.parse(schema) } },
    }),
  };
}

/** Questions that were never answered become one with the next: many templates insist on turns. */
function inTurns(messages) {
  const turns = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (last?.role !== message.role) turns.push({ ...message });
    else Object.assign(last, { text: `${last.text}\n\n${message.text}`, images: [...(last.images ?? []), ...(message.images ?? [])] });
  }
  return turns;
}

function messageOf({ role, text, images }) {
  if (!images?.length) return { role, content: text };
  const pictures = images.map((url) => ({ type: 'image_url', image_url: { url } }));
  return { role, content: [...pictures, ...(text ? [{ type: 'text', text }] : [])] };
}
