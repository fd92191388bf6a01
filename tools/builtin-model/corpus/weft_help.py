"""How to use Weft: its commands, options and ideas, asked in many ways."""

from corpus.grammar import one_of, pick

COMMANDS = {
    "run": ("[generate text from a prompt|continue a text|run a model once|complete a prompt]", "weft run writes a reply to a prompt. Try: weft run MODEL -p \"Tell me a story\""),
    "chat": ("[chat with a model|talk to a model|start a chat|have a conversation]", "weft chat opens a conversation in the terminal. Try: weft chat MODEL"),
    "serve": ("[start a server|start the web server|serve a model over HTTP|offer an API|open the web page]", "weft serve starts a web server with an OpenAI-compatible API. Try: weft serve MODEL --port 8080"),
    "bench": ("[measure speed|measure tokens per second|run a benchmark|see how fast a model is]", "weft bench measures how many tokens per second a model reads and writes. Try: weft bench MODEL"),
    "inspect": ("[look inside a model file|see the tensors|see the metadata|list what is in a checkpoint]", "weft inspect shows what is in a model file: its metadata and tensors. Try: weft inspect MODEL"),
    "explain": ("[see how a model is compiled|see the compiler passes|print the graph|see which kernels are used]", "weft explain shows how Weft compiles a model, stage by stage. Try: weft explain MODEL"),
    "tokenize": ("[turn text into tokens|see the tokens of a text|count tokens]", "weft tokenize turns text into token ids and back. Try: weft tokenize MODEL"),
    "synth": ("[make a random model for tests|create a synthetic model|write a synthetic checkpoint]", "weft synth writes a synthetic model file for tests and speed runs. Try: weft synth --shape NAME --type TYPE OUT.gguf"),
    "logits": ("[see the logits|get the scores of the next token]", "weft logits prints the scores of the next token. Try: weft logits MODEL --tokens 1,2,3 --json"),
    "render": ("[see the chat template at work|see the rendered prompt|test a chat template]", "weft render shows the prompt that a chat template makes. Try: weft render MODEL --messages FILE --json"),
}
ASK_COMMAND = (
    "What does weft {c} do?", "What is weft {c}?", "How do I use weft {c}?", "Explain the {c} command.", "What is the {c} command for?", "weft {c}", "Tell me about weft {c}.", "what does the command {c} do",
)  # fmt: skip
ASK_TASK = ("How do I {t}?", "How can I {t}?", "How can I {t} with Weft?", "I want to {t}.", "Which command do I need to {t}?", "How do I {t} in Weft?", "Can Weft {t}?")
OPTIONS = {
    "--temperature": "--temperature sets how freely words are chosen: 0 always takes the likeliest token.",
    "--max-tokens": "--max-tokens sets how many tokens are written at most.",
    "--seed": "--seed fixes the random choices, so that the same command gives the same text.",
    "--threads": "--threads sets how many CPU threads work.",
    "--backend": "--backend chooses where the model runs: reference, cpu or cuda.",
    "--json": "--json prints one JSON document on standard output and nothing else there.",
    "--top-k": "--top-k keeps only the k likeliest tokens before one is drawn.",
    "--top-p": "--top-p keeps the likeliest tokens until their chances add up to p.",
    "--min-p": "--min-p drops tokens that are much less likely than the best one.",
    "--port": "--port sets the port of the web server, for example 8080.",
    "--host": "--host sets the address of the web server, for example 127.0.0.1.",
    "--stop": "--stop names a text at which the reply ends.",
    "--repeat-penalty": "--repeat-penalty makes repeated tokens less likely.",
    "--ignore-eos": "--ignore-eos goes on writing when the model wants to stop.",
    "--profile": "--profile names a file with settings for prefill and decode.",
    "--parallel": "--parallel sets how many requests the server works on at once.",
    "--no-cache": "--no-cache computes every step from scratch, to check the cached paths.",
    "--verbose": "--verbose shows the full stack trace when something goes wrong.",
}
ASK_OPTION = ("What does {o} do?", "What is {o}?", "What is the option {o} for?", "Explain {o}.", "How does {o} work?", "What is {o} in Weft?")
IDEAS = (
    (("What is Weft?", "Explain Weft.", "Tell me about Weft.", "What does Weft do?", "what is weft", "Describe Weft."),
     "Weft is a compiler and runtime for language models, written in Java. It reads a model file, compiles it for your machine and runs it."),
    (("Which models [can|does] Weft run?", "What models does Weft support?", "Which model families does Weft know?"), "Weft runs model families such as Llama, Qwen, Gemma and Mistral from GGUF or safetensors files."),
    (("Which file formats does Weft read?", "What formats does Weft support?", "Can Weft read GGUF?", "Can Weft read safetensors?"), "Weft reads GGUF files and folders with safetensors and a config.json."),
    (("In which language is Weft written?", "What is Weft written in?", "Is Weft written in Java?"), "Weft is written in Java and needs no C compiler."),
    (("How do I use [another|a bigger|my own] model?", "How do I load a model?", "Can I use a bigger model?", "How do I give Weft a model?"), "Give the path of a .gguf file after the command, for example: weft chat my-model.gguf"),
    (("Which commands does Weft have?", "What commands are there?", "List the commands of Weft.", "weft help", "How do I use Weft?", "weft commands"),
     "Weft has these commands: run, chat, serve, bench, inspect, explain, tokenize, render, logits and synth. Without a MODEL they use the built-in model."),
    (("Does Weft need a GPU?", "Can Weft run without a GPU?", "Does Weft run on a CPU?"), "No GPU is needed. Weft runs on the CPU, and on an NVIDIA GPU with --backend cuda."),
    (("What is the built-in model?", "Which model is built in?", "What model runs when I give none?"), "The built-in model is me, Weft Tiny: about twelve million parameters, trained on generated text. Give a .gguf file for real work."),
    (("What is quantization?", "What does quantized mean?"), "Quantization stores the weights of a model with fewer bits, so that the file is smaller and faster to read."),
    (("What is GGUF?", "What is a GGUF file?", "What is a .gguf file?"), "GGUF is a file format that holds a model: its weights, its tokenizer and its settings."),
    (("What is speculative decoding?", "What is speculation in Weft?"), "Speculative decoding guesses several tokens cheaply and lets the model check them all at once."),
    (("What is prefill?", "What does prefill mean?"), "Prefill is the step in which the model reads the whole prompt."),
    (("What is decode?", "What does decoding mean?"), "Decoding is the step in which the model writes one token after another."),
    (("What is a KV cache?", "What does the KV cache do?"), "The KV cache keeps what attention has already computed, so that each new token is cheap."),
    (("How do I stop the chat?", "How do I leave the chat?", "How do I quit?"), "Press Ctrl-D to leave the chat."),
)  # fmt: skip


def exchange(rng):
    roll = rng.random()
    if roll < 0.25:
        name = pick(list(COMMANDS), rng)
        return one_of(ASK_COMMAND, rng, {"c": name}), COMMANDS[name][1]
    if roll < 0.55:
        task, answer = COMMANDS[pick(list(COMMANDS), rng)]
        return one_of(ASK_TASK, rng, {"t": one_of((task,), rng)}), answer
    if roll < 0.75:
        option = pick(list(OPTIONS), rng)
        return one_of(ASK_OPTION, rng, {"o": option}), OPTIONS[option]
    ask, answer = pick(IDEAS, rng)
    return one_of(ask, rng), answer
