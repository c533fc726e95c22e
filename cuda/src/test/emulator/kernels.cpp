// The kernels' source, translated to C++ (source.inc), and a line KERNEL(name, most threads) for each of them (names.inc).
// The test makes both from the source.
#include "device.h"

#include "source.inc"

#include "kernels.h"

#include <tuple>

template <class... A, size_t... I>
static std::function<void()> bound(void (*kernel)(A...), void **arguments, std::index_sequence<I...>) {
    std::tuple<A...> copies(*(const A *)arguments[I]...);
    return [=] { std::apply(kernel, copies); };
}

template <class... A>
static std::function<void()> bound(void (*kernel)(A...), void **arguments) {
    return bound(kernel, arguments, std::index_sequence_for<A...>());
}

#define KERNEL(name, mostThreads) {#name, mostThreads, [](void **arguments) { return bound(name, arguments); }},

const std::vector<Kernel> &kernels() {
    static const std::vector<Kernel> all = {
#include "names.inc"
    };
    return all;
}
