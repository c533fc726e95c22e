// The kernels by their names.
#pragma once
#include <functional>
#include <string>
#include <vector>

struct Kernel {
    std::string name;
    int mostThreads;
    std::function<std::function<void()>(void **)> bind;  // copies the arguments, as a launch does
};

const std::vector<Kernel> &kernels();
