# weave with what it can use: a compiler for C and C++, gdb, z3 and Graphviz.
#
#   docker build --tag weave .
#   docker run --rm --volume "$PWD:/work" weave check model.pml
#
# `weave run` contains programs in namespaces, which a container usually may not make. Then it warns,
# and refuses to run as root without --trust; here it runs as the user `weave`.
FROM rust:1-bookworm AS build
WORKDIR /build
COPY . .
RUN cargo build --locked --profile dist --package everyweave --bin weave

FROM debian:bookworm-slim
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc g++ libc6-dev gdb z3 graphviz \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 1000 --create-home weave
COPY --from=build /build/target/dist/weave /usr/local/bin/weave
USER 1000:1000
WORKDIR /work
ENTRYPOINT ["weave"]
CMD ["--help"]
