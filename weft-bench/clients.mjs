// Vendors' own clients against a running server: node clients.mjs WEFT [--at=URL] [--only=TEXT] [MODEL]
import {spawn} from "node:child_process";
import {createServer} from "node:net";
import {strict as assert} from "node:assert";
import OpenAI, {BadRequestError, NotFoundError} from "openai";
import {ResponsesWS} from "openai/resources/responses/ws";
import {zodFunction, zodResponseFormat, zodTextFormat} from "openai/helpers/zod";
import Anthropic from "@anthropic-ai/sdk";
import {zodOutputFormat} from "@anthropic-ai/sdk/helpers/zod";
import {betaZodTool} from "@anthropic-ai/sdk/helpers/beta/zod";
import {Ollama} from "ollama";
import {z} from "zod";

const [weft, ...words] = process.argv.slice(2);
const option = (name) => words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const only = option("only") ?? "";
const given = words.find((word) => !word.startsWith("--"));

const freePort = () => new Promise((resolve) => {
  const probe = createServer().listen(0, "127.0.0.1", () => {
    const {port} = probe.address();
    probe.close(() => resolve(port));
  });
});

const start = async () => {
  if (option("at")) return {at: option("at"), stop: () => {}};
  const port = await freePort();
  const server = spawn(weft, ["serve", `--port=${port}`, ...(given ? [given] : [])], {stdio: ["ignore", "ignore", "inherit"]});
  const at = `http://127.0.0.1:${port}`;
  for (let i = 0; i < 1200; i++) {
    if (server.exitCode !== null) throw new Error("the server ended");
    const answer = await fetch(`${at}/health`).catch(() => undefined);
    if (answer?.ok) return {at, stop: () => server.kill()};
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the server was not healthy in two minutes");
};

const {at, stop} = await start();
const openai = new OpenAI({baseURL: `${at}/v1`, apiKey: "any", maxRetries: 0});
const anthropic = new Anthropic({baseURL: at, apiKey: "any", maxRetries: 0});
const ollama = new Ollama({host: at});
const model = (await openai.models.list()).data[0].id;

const messages = [{role: "user", content: "Tell me a story."}];
const chat = {model, messages, temperature: 0, max_tokens: 12};
const message = {model, messages, temperature: 0, max_tokens: 12};
const Sky = z.object({sunny: z.boolean(), sky: z.enum(["clear", "grey"])});
const look = {
  type: "object",
  properties: {sunny: {type: "boolean"}, sky: {type: "string", enum: ["clear", "grey"]}},
  required: ["sunny", "sky"],
  additionalProperties: false,
};
const lookTool = {type: "function", function: {name: "look", description: "Looks up.", parameters: look, strict: true}};
const collect = async (stream) => {
  const all = [];
  for await (const each of stream) all.push(each);
  return all;
};
const rejects = async (promise, check) => {
  try {
    await promise;
  } catch (e) {
    return check(e);
  }
  assert.fail("nothing was thrown");
};

const checks = {
  "openai: models.list, paged": async () => assert.ok((await collect(openai.models.list())).some((each) => each.id === model)),
  "openai: models.retrieve": async () => assert.equal((await openai.models.retrieve(model)).object, "model"),
  "openai: chat": async () => {
    const answer = await openai.chat.completions.create(chat);
    assert.ok(answer.choices[0].message.content.length > 0);
    assert.equal(answer.usage.total_tokens, answer.usage.prompt_tokens + answer.usage.completion_tokens);
  },
  "openai: chat, raw chunks with usage": async () => {
    const chunks = await collect(await openai.chat.completions.create({...chat, stream: true, stream_options: {include_usage: true}}));
    assert.equal(chunks[0].choices[0].delta.role, "assistant");
    assert.deepEqual(chunks.at(-1).choices, []);
    assert.ok(chunks.at(-1).usage.completion_tokens > 0);
    assert.ok(chunks.at(-2).choices[0].finish_reason);
  },
  "openai: chat.stream()": async () => {
    const whole = await openai.chat.completions.create(chat);
    const stream = openai.chat.completions.stream(chat);
    let text = "";
    stream.on("content", (delta) => (text += delta));
    const final = await stream.finalChatCompletion();
    assert.equal(final.choices[0].message.content, whole.choices[0].message.content);
    assert.equal(text, final.choices[0].message.content);
  },
  "openai: n, stop, seed, logprobs, penalties": async () => {
    const asked = {...chat, temperature: 1, n: 2, stop: ["zebra"], seed: 7, logprobs: true, top_logprobs: 2, frequency_penalty: 0.5, presence_penalty: -0.5};
    const first = await openai.chat.completions.create(asked);
    assert.equal(first.choices.length, 2);
    assert.equal(first.choices[0].logprobs.content[0].top_logprobs.length, 2);
    const again = [await openai.chat.completions.create({...asked, n: 1}), await openai.chat.completions.create({...asked, n: 1})];
    assert.equal(again[0].choices[0].message.content, again[1].choices[0].message.content);
  },
  "openai: parse with zod": async () => {
    const answer = await openai.chat.completions.parse({...chat, max_tokens: 200, response_format: zodResponseFormat(Sky, "sky")});
    assert.ok(["clear", "grey"].includes(answer.choices[0].message.parsed.sky));
  },
  "openai: stream with zod": async () => {
    const stream = openai.chat.completions.stream({...chat, max_tokens: 200, response_format: zodResponseFormat(Sky, "sky")});
    assert.ok(["clear", "grey"].includes((await stream.finalChatCompletion()).choices[0].message.parsed.sky));
  },
  "openai: json_object": async () => {
    const answer = await openai.chat.completions.create({...chat, max_tokens: 60, response_format: {type: "json_object"}});
    assert.ok(answer.choices[0].message.content.trimStart().startsWith("{"));
  },
  "openai: a tool that must be called": async () => {
    const answer = await openai.chat.completions.create({...chat, max_tokens: 200, tools: [lookTool], tool_choice: "required"});
    assert.equal(answer.choices[0].finish_reason, "tool_calls");
    Sky.parse(JSON.parse(answer.choices[0].message.tool_calls[0].function.arguments));
  },
  "openai: a named tool, streamed": async () => {
    const stream = openai.chat.completions.stream({
      ...chat, max_tokens: 200, tools: [zodFunction({name: "look", parameters: Sky})],
      tool_choice: {type: "function", function: {name: "look"}},
    });
    const {message: said} = (await stream.finalChatCompletion()).choices[0];
    Sky.parse(said.tool_calls[0].function.parsed_arguments);
  },
  "openai: runTools": async () => {
    let looked = 0;
    const run = () => {
      looked++;
      return "grey";
    };
    const runner = openai.chat.completions.runTools({
      ...chat, max_tokens: 200, tool_choice: {type: "function", function: {name: "look"}},
      tools: [{type: "function", function: {name: "look", parse: JSON.parse, parameters: look, function: run}}],
    }, {maxChatCompletions: 2});
    await runner.done().catch(() => {});
    assert.ok(looked > 0);
  },
  "openai: a tool's result goes back": async () => {
    const first = await openai.chat.completions.create({...chat, max_tokens: 200, tools: [lookTool], tool_choice: "required"});
    const said = first.choices[0].message;
    const result = {role: "tool", tool_call_id: said.tool_calls[0].id, content: "grey"};
    const answer = await openai.chat.completions.create({...chat, messages: [...messages, said, result], tools: [lookTool], tool_choice: "none"});
    assert.ok(answer.choices[0].message);
  },
  "openai: completions": async () => {
    const answer = await openai.completions.create({model, prompt: ["Once", "Tim"], max_tokens: 5, echo: true});
    assert.equal(answer.choices.length, 2);
    assert.ok(answer.choices[0].text.startsWith("Once"));
  },
  "openai: completions, streamed": async () => {
    const chunks = await collect(await openai.completions.create({model, prompt: "Once", max_tokens: 5, stream: true}));
    assert.ok(chunks.map((chunk) => chunk.choices[0]?.text ?? "").join("").length > 0);
  },
  "openai: embeddings, base64 unasked": async () => {
    const unasked = await openai.embeddings.create({model, input: ["a cat", "a dog"]});
    const floats = await openai.embeddings.create({model, input: ["a cat", "a dog"], encoding_format: "float"});
    assert.equal(unasked.data.length, 2);
    unasked.data[1].embedding.forEach((x, i) => assert.ok(Math.abs(x - floats.data[1].embedding[i]) < 1e-5));
  },
  "openai: responses": async () => {
    const answer = await openai.responses.create({model, input: "Tell me a story.", max_output_tokens: 16, instructions: "Be brief."});
    assert.ok(answer.output_text.length > 0);
    const next = await openai.responses.create({model, input: "And then?", previous_response_id: answer.id, max_output_tokens: 16});
    assert.equal(next.previous_response_id, answer.id);
    assert.equal((await openai.responses.retrieve(answer.id)).id, answer.id);
    assert.ok((await collect(openai.responses.inputItems.list(answer.id))).length > 0);
    await openai.responses.delete(answer.id);
    await rejects(openai.responses.retrieve(answer.id), (e) => assert.equal(e.status, 404));
  },
  "openai: responses.stream()": async () => {
    const types = [];
    const stream = openai.responses.stream({model, input: "Tell me a story.", max_output_tokens: 16});
    stream.on("event", (event) => types.push([event.sequence_number, event.type]));
    const final = await stream.finalResponse();
    assert.deepEqual(types.map(([number]) => number), types.map((_, i) => i));
    assert.equal(types[0][1], "response.created");
    assert.ok(["response.completed", "response.incomplete"].includes(types.at(-1)[1]));
    assert.ok(final.output_text.length > 0);
  },
  "openai: responses.parse with zod": async () => {
    const answer = await openai.responses.parse({model, input: "The sky?", max_output_tokens: 200, text: {format: zodTextFormat(Sky, "sky")}});
    assert.ok(["clear", "grey"].includes(answer.output_parsed.sky));
  },
  "openai: responses, a tool and its result": async () => {
    const tools = [{type: "function", name: "look", parameters: look, strict: true}];
    const first = await openai.responses.create({model, input: "The sky?", tools, tool_choice: "required", max_output_tokens: 200});
    const call = first.output.find((item) => item.type === "function_call");
    Sky.parse(JSON.parse(call.arguments));
    const input = [{type: "function_call_output", call_id: call.call_id, output: "grey"}];
    const next = await openai.responses.create({model, input, previous_response_id: first.id, tools, tool_choice: "none", max_output_tokens: 16});
    assert.ok(next.output.length > 0);
  },
  "openai: responses over a WebSocket": async () => {
    const socket = new ResponsesWS(openai);
    try {
      const ask = (fields) => new Promise((resolve, reject) => {
        const texts = [];
        socket.on("response.output_text.delta", (event) => texts.push(event.delta));
        socket.once("response.incomplete", ({response}) => resolve({response, text: texts.join("")}));
        socket.once("response.completed", ({response}) => resolve({response, text: texts.join("")}));
        socket.once("error", reject);
        socket.send({type: "response.create", model, store: false, max_output_tokens: 16, ...fields});
      });
      const first = await ask({input: "Tell me a story."});
      assert.equal(first.response.output[0].content[0].text, first.text);
      const next = await ask({input: "And then?", previous_response_id: first.response.id});
      assert.ok(next.response.usage.input_tokens > first.response.usage.input_tokens + 10);
      await rejects(ask({input: "And then?", previous_response_id: "resp_none"}),
        (e) => assert.equal(e.error.error.code, "previous_response_not_found"));
    } finally {
      socket.close();
    }
  },
  "openai: responses.compact": async () => {
    const made = await openai.responses.compact({model, input: [...messages, {role: "assistant", content: "Once there was a cat."}]});
    assert.equal(made.output.at(-1).type, "compaction");
    const next = await openai.responses.create({model, input: [...made.output, {role: "user", content: "And then?"}], max_output_tokens: 16});
    assert.ok(next.output.length > 0);
  },
  "openai: requests have ids": async () => assert.match((await openai.chat.completions.create(chat))._request_id, /^req_/),
  "openai: errors are typed": async () => {
    await rejects(openai.chat.completions.create({...chat, model: "other"}), (e) => {
      assert.ok(e instanceof NotFoundError);
      assert.equal(e.code, "model_not_found");
    });
    await rejects(openai.chat.completions.create({...chat, temperature: 3}), (e) => {
      assert.ok(e instanceof BadRequestError);
      assert.equal(e.param, "temperature");
    });
    await rejects(openai.chat.completions.create({...chat, messages: [{role: "user", content: "a b ".repeat(50000)}]}), (e) =>
      assert.equal(e.code, "context_length_exceeded"));
  },
  "openai: abort in mid-stream": async () => {
    for (let i = 0; i < 20; i++) {
      const stream = await openai.chat.completions.create({...chat, max_tokens: 100000, stream: true});
      for await (const _ of stream) break;
    }
    const controller = new AbortController();
    const asked = openai.chat.completions.create({...chat, max_tokens: 100000}, {signal: controller.signal});
    setTimeout(() => controller.abort(), 50);
    await asked.catch(() => {});
    assert.ok((await openai.chat.completions.create(chat)).choices.length);
  },

  "anthropic: messages": async () => {
    const answer = await anthropic.messages.create({...message, system: "Be brief."});
    assert.equal(answer.content[0].type, "text");
    assert.ok(["end_turn", "max_tokens"].includes(answer.stop_reason));
    assert.ok(answer.usage.input_tokens > 0 && answer.usage.output_tokens > 0);
  },
  "anthropic: messages.stream()": async () => {
    const whole = await anthropic.messages.create(message);
    const stream = anthropic.messages.stream(message);
    let text = "";
    stream.on("text", (delta) => (text += delta));
    const final = await stream.finalMessage();
    assert.equal(final.content[0].text, whole.content[0].text);
    assert.equal(text, final.content[0].text);
    assert.equal(final.usage.output_tokens, whole.usage.output_tokens);
  },
  "anthropic: raw events in order": async () => {
    const types = (await collect(await anthropic.messages.create({...message, stream: true}))).map((event) => event.type);
    assert.equal(types[0], "message_start");
    assert.deepEqual(types.filter((type) => type.startsWith("message_")), ["message_start", "message_delta", "message_stop"]);
    assert.ok(types.indexOf("content_block_start") < types.indexOf("content_block_delta"));
  },
  "anthropic: stop sequences": async () => {
    const whole = await anthropic.messages.create(message);
    const word = whole.content[0].text.trim().split(/\s+/)[2];
    const answer = await anthropic.messages.create({...message, stop_sequences: [word]});
    assert.equal(answer.stop_reason, "stop_sequence");
    assert.equal(answer.stop_sequence, word);
  },
  "anthropic: any tool, whole": async () => {
    const tools = [{name: "look", description: "Looks up.", input_schema: look}];
    const answer = await anthropic.messages.create({...message, max_tokens: 200, tools, tool_choice: {type: "any"}});
    assert.equal(answer.stop_reason, "tool_use");
    const use = answer.content.find((block) => block.type === "tool_use");
    Sky.parse(use.input);
    const result = [{type: "tool_result", tool_use_id: use.id, content: "grey"}];
    const turns = [...messages, {role: "assistant", content: answer.content}, {role: "user", content: result}];
    assert.ok(await anthropic.messages.create({...message, messages: turns, tools, tool_choice: {type: "none"}}));
  },
  "anthropic: a named tool, streamed": async () => {
    const tools = [{name: "look", description: "Looks up.", input_schema: look}];
    const stream = anthropic.messages.stream({...message, max_tokens: 200, tools, tool_choice: {type: "tool", name: "look"}});
    Sky.parse((await stream.finalMessage()).content.find((block) => block.type === "tool_use").input);
  },
  "anthropic: toolRunner": async () => {
    let looked = 0;
    const run = () => {
      looked++;
      return "grey";
    };
    const tool = betaZodTool({name: "look", description: "Looks up.", inputSchema: Sky, run});
    const runner = anthropic.beta.messages.toolRunner({...message, max_tokens: 200, tools: [tool], tool_choice: {type: "any"}, max_iterations: 2});
    await runner.runUntilDone().catch(() => {});
    assert.ok(looked > 0);
  },
  "anthropic: parse with zod": async () => {
    const answer = await anthropic.messages.parse({...message, max_tokens: 200, output_config: {format: zodOutputFormat(Sky)}});
    assert.ok(["clear", "grey"].includes(answer.parsed_output.sky));
  },
  "anthropic: thinking is taken": async () => {
    const answer = await anthropic.messages.create({...message, temperature: 1, max_tokens: 1100, thinking: {type: "enabled", budget_tokens: 1024}, stop_sequences: ["."]});
    assert.ok(answer.content.every((block) => ["text", "thinking"].includes(block.type)));
  },
  "anthropic: countTokens": async () => {
    const count = await anthropic.messages.countTokens({model, messages, system: "Be brief."});
    const answer = await anthropic.messages.create({...message, system: "Be brief."});
    const {input_tokens, cache_read_input_tokens, cache_creation_input_tokens} = answer.usage;
    assert.equal(count.input_tokens, input_tokens + (cache_read_input_tokens ?? 0) + (cache_creation_input_tokens ?? 0));
  },
  "anthropic: models": async () => {
    const all = await collect(anthropic.models.list());
    assert.ok(all.some((each) => each.id === model && each.type === "model" && Date.parse(each.created_at) > 0));
    assert.equal((await anthropic.models.retrieve(model)).display_name, model);
  },
  "anthropic: errors are typed": async () => {
    await rejects(anthropic.messages.create({...message, model: "other"}), (e) => {
      assert.ok(e instanceof Anthropic.NotFoundError);
      assert.equal(e.error.error.type, "not_found_error");
    });
    await rejects(anthropic.messages.create({...message, max_tokens: -1}), (e) => assert.ok(e instanceof Anthropic.BadRequestError));
  },
  "anthropic: abort in mid-stream": async () => {
    for (let i = 0; i < 10; i++) {
      const stream = anthropic.messages.stream({...message, max_tokens: 100});
      for await (const _ of stream) break;
    }
    assert.ok(await anthropic.messages.create(message));
  },

  "ollama: chat": async () => {
    const answer = await ollama.chat({model, messages, options: {temperature: 0, num_predict: 12}});
    assert.ok(answer.message.content.length > 0);
    assert.ok(answer.done && answer.eval_count > 0 && answer.total_duration > 0);
  },
  "ollama: chat, streamed": async () => {
    const options = {temperature: 0, num_predict: 12};
    const whole = await ollama.chat({model, messages, options});
    const parts = await collect(await ollama.chat({model, messages, options, stream: true}));
    assert.equal(parts.map((part) => part.message.content).join(""), whole.message.content);
    assert.ok(parts.at(-1).done);
    assert.ok(["stop", "length"].includes(parts.at(-1).done_reason));
  },
  "ollama: chat with a schema": async () => {
    const answer = await ollama.chat({model, messages, format: look, options: {num_predict: 200}});
    Sky.parse(JSON.parse(answer.message.content));
  },
  "ollama: chat with tools": async () => assert.ok((await ollama.chat({model, messages, tools: [lookTool], options: {num_predict: 12}})).message),
  "ollama: think": async () => assert.ok((await ollama.chat({model, messages, think: false, options: {num_predict: 8}})).message),
  "ollama: generate": async () => {
    const answer = await ollama.generate({model, prompt: "Once upon a time", options: {num_predict: 8}});
    assert.ok(answer.response.length > 0);
    const parts = await collect(await ollama.generate({model, prompt: "Once", raw: true, stream: true, options: {num_predict: 8}}));
    assert.ok(parts.at(-1).done);
  },
  "ollama: embed": async () => assert.equal((await ollama.embed({model, input: ["a cat", "a dog"]})).embeddings.length, 2),
  "ollama: list, show, ps, version": async () => {
    assert.ok((await ollama.list()).models.some((each) => each.name === model));
    assert.ok((await ollama.show({model})).details.format);
    assert.ok((await ollama.ps()).models.some((each) => each.name === model));
    assert.ok((await ollama.version()).version);
  },
  "ollama: errors": async () => {
    await rejects(ollama.chat({model: "other", messages}), (e) => {
      assert.equal(e.status_code, 404);
      assert.match(e.message, /not found/);
    });
  },
  "ollama: abort in mid-stream": async () => {
    const stream = await ollama.chat({model, messages, stream: true, options: {num_predict: 100000}});
    setTimeout(() => stream.abort(), 100);
    await collect(stream).catch((e) => assert.equal(e.name, "AbortError"));
    assert.ok(await ollama.chat({model, messages, options: {num_predict: 4}}));
  },
};

// Only where the model sees: one pixel, by which it is told whether its rows are counted.
const {input_modalities: kinds = []} = await openai.models.retrieve(model);
if (kinds.includes("image")) {
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const url = `data:image/png;base64,${pixel}`;
  const seen = async (ask) => assert.ok((await ask(true)) > (await ask(false)));
  checks["openai: an image"] = () => seen(async (isShown) => {
    const content = [{type: "text", text: "What?"}, ...(isShown ? [{type: "image_url", image_url: {url}}] : [])];
    return (await openai.chat.completions.create({...chat, messages: [{role: "user", content}]})).usage.prompt_tokens;
  });
  checks["openai: an image in a response"] = () => seen(async (isShown) => {
    const content = [{type: "input_text", text: "What?"}, ...(isShown ? [{type: "input_image", image_url: url, detail: "auto"}] : [])];
    return (await openai.responses.create({model, input: [{role: "user", content}], max_output_tokens: 16})).usage.input_tokens;
  });
  checks["anthropic: an image"] = () => seen(async (isShown) => {
    const image = {type: "image", source: {type: "base64", media_type: "image/png", data: pixel}};
    const content = [...(isShown ? [image] : []), {type: "text", text: "What?"}];
    return (await anthropic.messages.create({...message, messages: [{role: "user", content}]})).usage.input_tokens;
  });
  checks["ollama: an image"] = () => seen(async (isShown) => {
    const said = {role: "user", content: "What?", ...(isShown ? {images: [pixel]} : {})};
    return (await ollama.chat({model, messages: [said], options: {num_predict: 4}})).prompt_eval_count;
  });
}

let failed = 0;
let passed = 0;
const within = (work, seconds) => {
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(`took more than ${seconds} s`)), seconds * 1000)));
  return Promise.race([work(), late]).finally(() => clearTimeout(timer));
};
for (const [name, work] of Object.entries(checks)) {
  if (!name.includes(only)) continue;
  try {
    await within(work, 60);
    passed++;
    console.log(`passed  ${name}`);
  } catch (e) {
    failed++;
    console.log(`FAILED  ${name}: ${String(e.message ?? e).replace(/\s+/g, " ").slice(0, 300)}`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
stop();
process.exit(failed > 0 ? 1 : 0);
