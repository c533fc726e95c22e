// Runs the blocks of a kernel on the processor, and notices what a GPU would punish.
#pragma once
#include <functional>
#include <string>

struct Dim {
    int x, y, z;
};

// What went wrong, with the number that the driver would give.
struct Fault {
    enum { INVALID_VALUE = 1, NOT_FOUND = 500, ILLEGAL_ADDRESS = 700, LAUNCH_FAILED = 719, NOT_CAPTURABLE = 900 };
    int code;
    std::string text;
};

// All blocks of a grid one after the other, the last one first, since nothing may depend on their order.
void runGrid(const std::string &kernel, Dim grid, Dim block, const std::function<void()> &thread);

// From now on a memory access that the processor refuses to a kernel becomes a Fault; others go where they went before.
void catchSignals();
