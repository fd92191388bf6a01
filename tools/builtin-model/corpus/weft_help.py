"""How to use Weft: its commands, options and ideas, asked in many ways."""

from corpus import asking, facts
from corpus.grammar import expand, one_of, pick
from corpus.relations import Cores

COMMANDS = {
    "run": ("[generate text from a prompt|continue a text|run a model once|complete a prompt|generate text|write text|complete a text|give a prompt]", "weft run writes a reply to a prompt. Try: weft run MODEL -p \"Tell me a story\""),
    "chat": ("[chat with a model|talk to a model|start a chat|have a conversation|chat|open a chat|talk to you in the terminal]", "weft chat opens a conversation in the terminal. Try: weft chat MODEL"),
    "serve": ("[start a server|start the web server|serve a model over HTTP|offer an API|open the web page|run a server|use the OpenAI API|use it over HTTP|start the server|start the server on port 8080|start the API server on port 9000]", "weft serve starts a web server with an OpenAI-compatible API. Try: weft serve MODEL --port 8080"),
    "bench": ("[measure speed|measure tokens per second|run a benchmark|see how fast a model is|benchmark a model|benchmark my model|time my model|see how fast my model is|test the speed|measure the speed of a model]", "weft bench measures how many tokens per second a model reads and writes. Try: weft bench MODEL"),
    "inspect": ("[look inside a model file|see the tensors|see the metadata|list what is in a checkpoint|inspect a model|look into a GGUF file|see what is in a GGUF file|see the details of a model]", "weft inspect shows what is in a model file: its metadata and tensors. Try: weft inspect MODEL"),
    "explain": ("[see how a model is compiled|see the compiler passes|print the graph|see which kernels are used]", "weft explain shows how Weft compiles a model, stage by stage. Try: weft explain MODEL"),
    "tokenize": ("[turn text into tokens|see the tokens of a text|count tokens|tokenize a text|count the tokens of a text]", "weft tokenize turns text into token ids and back. Try: weft tokenize MODEL"),
    "synth": ("[make a random model for tests|create a synthetic model|write a synthetic checkpoint]", "weft synth writes a synthetic model file for tests and speed runs. Try: weft synth --shape NAME --type TYPE OUT.gguf"),
    "logits": ("[see the logits|get the scores of the next token]", "weft logits prints the scores of the next token. Try: weft logits MODEL --tokens 1,2,3 --json"),
    "render": ("[see the chat template at work|see the rendered prompt|test a chat template]", "weft render shows the prompt that a chat template makes. Try: weft render MODEL --messages FILE --json"),
}
ASK_COMMAND = Cores(
    nouns=("[weft {c}|the {c} command|the command weft {c}|weft's {c} command]", "the [purpose|use|meaning] of [weft {c}|the {c} command]"),
    same=("what [weft {c}|the {c} command|the command {c}] [does|is for|is good for]", "what [weft {c}|the command {c}|the {c} command] is"),
    turned=(("what does [weft {c}|the {c} command|the command {c}|{c}] do[ in weft|]", "what [weft {c}|the {c} command] does"), ("how do I use [weft {c}|the {c} command|{c} in weft]", "how to use weft {c}"), ("what is [weft {c}|the {c} command] [for|good for]", "what weft {c} is for"), ("when do I need weft {c}", "when I need weft {c}")),
    terse=("weft {c}", "./weft {c}", "{c} command", "weft {c} help", "explain weft {c}", "weft {c}?"),
)
ASK_TASK = Cores(
    nouns=("the [command|right command|way] to {t}", "a way to {t}"),
    same=("how to {t}[ with weft| in weft|]", "which command [do I need|should I use|is there] to {t}", "what command [I need|do I need] to {t}"),
    turned=(("how [do|can|could|would|should] [I|you|we] {t}[ with weft| in weft| here|]", "how [I|we] can {t}[ with weft|]"), ("[can|could] [I|weft|you] {t}", "whether weft can {t}"), ("is it possible to {t}", "whether it is possible to {t}"), ("what do I type to {t}", "what I type to {t}")),
    terse=("I [want|need|would like] to {t}[.|]", "{t}", "{t} with weft", "weft {t}", "[Let me|Help me] {t}[.|]"),
)
ASK_OPTION = Cores(
    nouns=("[{o}|the option {o}|the flag {o}|weft's {o}]", "the [meaning|purpose] of {o}"),
    same=("what {o} [does|means|is|is for]", "what the option {o} does"),
    turned=(("what does [{o}|the option {o}|the flag {o}|{b}] [do|mean]", "what [{o}|the option {o}] does"), ("what is [{o}|the option {o}] [for|in weft]", "what {o} is for"), ("how does {o} work", "how {o} works"), ("when do I use {o}", "when I use {o}")),
    terse=("{o}", "{o} option", "explain {o}", "weft {o}", "{o}?"),
)
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
IDEAS = (
    (("what is [weft|Weft]", "explain Weft", "tell me about Weft", "what does Weft do", "describe Weft", "what kind of program is Weft", "what is Weft [for|good for]", "why should I use Weft", "[weft|Weft|about weft|weft project]", "what is this [program|tool|project]", "what do I need Weft for"),
     "Weft is a compiler and runtime for language models, written in Java. It reads a model file, compiles it for your machine and runs it."),
    (("which models [can|does] Weft run", "what models does Weft [support|know|run]", "which [model families|models] does Weft [know|support]", "can Weft run [Llama|Qwen|Gemma|Mistral]", "does Weft support [Llama|Qwen|Gemma|Mistral]", "supported models", "is [Llama|Qwen|Gemma] supported"), "Weft runs model families such as Llama, Qwen, Gemma and Mistral from GGUF or safetensors files."),
    (("which [file formats|formats|files] does Weft read", "what [formats|files] does Weft [support|read]", "can Weft read [GGUF|safetensors]", "[file formats|supported formats]", "does Weft read [GGUF|safetensors]"), "Weft reads GGUF files and folders with safetensors and a config.json."),
    (("in which language is Weft written", "what is Weft written in", "is Weft written in Java", "what language is Weft [written in|made in]", "does Weft need a C compiler", "do I need [gcc|a C compiler|Python]"), "Weft is written in Java and needs no C compiler."),
    (("how [do|can] I use [another|a bigger|my own|a better|a different] model", "how [do|can] I [load|open|run|try|use] a [model|GGUF file|GGUF|model file|gguf]", "can I use a bigger model", "how do I give Weft a model", "where do I put [my model|the model|the path]", "how do I change the model", "[use another model|load model|run gguf|open gguf]", "how do I run [Llama|Qwen|a real model]", "how do I run a model"),
     "Give the path of a .gguf file after the command, for example: weft chat my-model.gguf"),
    (("which commands does Weft have", "what commands are there", "list [the|all] commands[ of Weft|]", "weft help", "how do I use Weft", "weft commands", "how [does Weft work|do I start|do I begin|do I use this|can I use weft|to use weft]", "what can Weft do", "[weft --help|help weft|usage|manual|weft usage]", "what can I do with Weft", "give me a list of commands", "show [me |]the commands"),
     "Weft has these commands: run, chat, serve, bench, inspect, explain, tokenize, render, logits and synth. Without a MODEL they use the built-in model."),
    (("does Weft need a GPU", "can Weft run without a GPU", "does Weft run on a CPU", "do I need a [GPU|graphics card]", "can I use my [GPU|graphics card]", "does Weft support [CUDA|NVIDIA|GPUs]", "[gpu|GPU support|cuda]"), "No GPU is needed. Weft runs on the CPU, and on an NVIDIA GPU with --backend cuda."),
    (("what is the built-in model", "which model is built in", "what model runs when I give none", "what is [weft tiny|Weft Tiny|the default model]", "which model [is|do I get] [used |]by default", "what is weft-tiny.gguf"), "The built-in model is me, Weft Tiny: about twelve million parameters, trained on generated text. Give a .gguf file for real work."),
    (("what is quantization", "what does quantized mean", "what is a quantized model", "explain quantization", "what is Q8_0", "what is Q4_K", "quantization"), "Quantization stores the weights of a model with fewer bits, so that the file is smaller and faster to read."),
    (("what is GGUF", "what is a GGUF file", "what is a .gguf file", "what does GGUF mean", "explain GGUF", "[gguf|GGUF|gguf file]", "tell me about GGUF"), "GGUF is a file format that holds a model: its weights, its tokenizer and its settings."),
    (("what is safetensors", "what is a safetensors file", "explain safetensors", "safetensors"), "Safetensors is a file format for the weights of a model; a config.json beside it says what kind of model it is."),
    (("what is speculative decoding", "what is speculation in Weft", "explain speculative decoding", "what is a draft [token|model|head]", "what is MTP", "speculation"), "Speculative decoding guesses several tokens cheaply and lets the model check them all at once."),
    (("what is prefill", "what does prefill mean", "prefill"), "Prefill is the step in which the model reads the whole prompt."),
    (("what is decode", "what does decoding mean", "what is decoding", "decode"), "Decoding is the step in which the model writes one token after another."),
    (("what is a KV cache", "what does the KV cache do", "explain the KV cache", "kv cache"), "The KV cache keeps what attention has already computed, so that each new token is cheap."),
    (("what is a context[ window| length|]", "how long is your context", "how much text can you read", "context length"), "The context is the text that a model can see at once. Mine is 2048 tokens long."),
    (("what is a prompt", "explain prompt", "prompt"), "A prompt is the text that you give to a language model."),
    (("what is temperature", "what does temperature do", "how do I make you more creative", "temperature"), "The temperature sets how freely words are chosen: 0 always takes the likeliest token."),
    (("how do I [stop|leave|quit|exit|end|close][ the chat| this|]", "how do I get out of [here|the chat]", "[exit|quit|:q|stop|leave]", "how can I end [this|the chat]"), "Press Ctrl-D to leave the chat, or type /exit."),
    (("which commands are there in the chat", "how do I clear the chat", "how do I start over", "how do I save the chat", "chat commands", "what can I type in the chat"), "Type /help to see the commands of the chat, such as /clear, /save, /load, /set and /exit."),
    (("how do I [install|build|get|set up|compile|download] Weft", "what do I need to [run|build|install] Weft", "installation", "install weft", "which Java do I need", "what are the requirements"), "You need a JDK 25 and Maven. Then start ./weft in the project's folder: it builds what is missing."),
    (("does Weft [work|run] on [Windows|Linux|a Mac|macOS|my laptop|a Raspberry Pi]", "can I use Weft on [Windows|a Mac|macOS]", "[which|what] [systems|platforms|operating systems] does Weft [run on|support]", "weft on windows"), "Weft is tested on Linux with a JDK 25."),
    (("how fast [is Weft|are you]", "is Weft fast", "how many tokens per second", "weft speed"), "Run weft bench to see how many tokens per second a model reads and writes on your machine."),
    (("is Weft [free|open source]", "what is the license of Weft", "what does Weft cost", "under which license is Weft", "license"), "Weft is free and open source, under the Apache license 2.0."),
    (("how do I [use Weft in my program|use Weft as a library|call Weft from Java|use the API]", "can I use Weft [in Java|from Java|as a library]", "weft java api", "library"), "Use LanguageModel.load to open a model and Generator to make replies. The README shows a small program."),
    (("what is weft.toml", "what is a profile", "how do I write a profile", "weft.toml"), "A file weft.toml beside the weights chooses how a model is compiled and run; --profile names another one."),
)  # fmt: skip


def _wrapped(cores, rng, words):
    roll = rng.random()
    if roll < 0.25:
        text = expand(pick(cores.terse, rng), rng)
    else:
        shape = "direct" if roll < 0.65 else "indirect" if roll < 0.85 else "noun"
        text = asking.wrapped(facts.core(cores, shape, rng), shape, rng, plain=0.5)
    return asking.typed(asking.careless(text, rng).format_map(words), rng)


def exchange(rng):
    roll = rng.random()
    if roll < 0.2:
        name = pick(list(COMMANDS), rng)
        return _wrapped(ASK_COMMAND, rng, {"c": name}), COMMANDS[name][1]
    if roll < 0.45:
        task, answer = COMMANDS[pick(list(COMMANDS), rng)]
        return _wrapped(ASK_TASK, rng, {"t": one_of((task,), rng)}), answer
    if roll < 0.58:
        option = pick(list(OPTIONS), rng)
        return _wrapped(ASK_OPTION, rng, {"o": option, "b": option.strip("-")}), OPTIONS[option]
    ask, answer = pick(IDEAS, rng)
    return asking.typed(asking.careless(asking.wrapped(pick(ask, rng), "direct", rng, plain=0.7), rng), rng), answer
