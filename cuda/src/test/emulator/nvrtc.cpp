// The functions of libnvrtc that we call. There is nothing to compile: the emulator holds the kernels already, so that what
// stands for machine code is one empty word.
#include <cstddef>
#include <cstring>

#define EXPORT extern "C" __attribute__((visibility("default")))

static const char CODE[] = "emulated";

EXPORT int nvrtcVersion(int *major, int *minor) {
    *major = 13;
    *minor = 0;
    return 0;
}

EXPORT int nvrtcCreateProgram(void **program, const char *, const char *, int, const char *const *, const char *const *) {
    *program = nullptr;
    return 0;
}

EXPORT int nvrtcCompileProgram(void *, int, const char *const *) { return 0; }

EXPORT int nvrtcGetProgramLogSize(void *, size_t *bytes) {
    *bytes = 0;
    return 0;
}

EXPORT int nvrtcGetProgramLog(void *, char *) { return 0; }

EXPORT int nvrtcGetCUBINSize(void *, size_t *bytes) {
    *bytes = sizeof CODE;
    return 0;
}

EXPORT int nvrtcGetCUBIN(void *, char *code) {
    memcpy(code, CODE, sizeof CODE);
    return 0;
}

EXPORT int nvrtcDestroyProgram(void **) { return 0; }
