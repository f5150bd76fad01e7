//! Tells the linker how a Node addon is put together.

fn main() {
    napi_build::setup();
}
