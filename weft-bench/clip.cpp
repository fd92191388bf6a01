// How long llama.cpp's tower takes for pictures of random pixels, in its own library: its command
// wants the text of a model too. Built and run by weft-bench/sight --peer.
//
//   clip MMPROJ.gguf WIDTH HEIGHT THREADS: milliseconds of a picture, without loading the file.
#include "clip.h"
#include "clip-impl.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

int main(int count, char ** arguments) {
    if (count != 5) {
        fprintf(stderr, "usage: clip MMPROJ.gguf WIDTH HEIGHT THREADS\n");
        return 2;
    }
    clip_context_params params{};
    params.use_gpu = false;
    params.flash_attn_type = CLIP_FLASH_ATTN_TYPE_AUTO;
    params.image_min_tokens = -1;
    params.image_max_tokens = -1;
    params.warmup = false;
    auto * tower = clip_init(arguments[1], params).ctx_v;
    if (!tower) {
        fprintf(stderr, "llama.cpp cannot load %s\n", arguments[1]);
        return 1;
    }
    clip_image_f32 picture;
    picture.set_size({ atoi(arguments[2]), atoi(arguments[3]) }, false, false);
    std::mt19937 random(1);
    std::uniform_real_distribution<float> pixel(-1, 1);
    std::vector<float> pixels(3 * (size_t) atoi(arguments[2]) * atoi(arguments[3]));
    for (auto & value : pixels) value = pixel(random);
    picture.cpy_buf(pixels);
    std::vector<float> seen((size_t) clip_n_output_tokens(tower, &picture) * clip_n_mmproj_embd(tower));
    auto start = std::chrono::steady_clock::now();
    if (!clip_image_encode(tower, atoi(arguments[4]), &picture, seen)) return 1;
    auto end = std::chrono::steady_clock::now();
    printf("%lld\n", (long long) std::chrono::duration_cast<std::chrono::milliseconds>(end - start).count());
    clip_free(tower);
    return 0;
}
