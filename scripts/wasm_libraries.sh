# shellcheck shell=bash
# The libraries that countpm stands on, compiled to WebAssembly from the sources of Debian's packages; for scripts/build-wasm, sourced after common.sh, never
# run. Each is made once: wasm_libraries FOLDER leaves FOLDER/include, FOLDER/lib and a file FOLDER/made-NAME for each. The make_ functions work in $folder.
#
# A `long` has 32 bits in WebAssembly, and with it GMP's limbs and all numbers that its and MPFR's functions take. Our code, and the bounds it proves,
# want 64 as on other machines: so every `long` of both becomes a `long long` before they are compiled, in the interface too.

wasm_flags=(-O3 -msimd128 -fwasm-exceptions)

# source_of PACKAGE [PATTERNS...]: unpacks its upstream source, or what of it matches, afresh into the folder sources/PACKAGE, and leaves that in `source`.
source_of() {
  local package=$1 file
  shift
  source=${folder:?}/sources/$package
  mkdir -p "$folder/sources/tar"
  (
    cd "$folder/sources/tar" || exit
    file=$(find . -name "${package}_*.orig.tar.*" ! -name '*.asc' -print -quit)
    if [[ -z $file ]]; then
      apt_sources
      apt-get -qq "${apt_options[@]}" source --tar-only "$package"
      file=$(find . -name "${package}_*.orig.tar.*" ! -name '*.asc' -print -quit)
    fi
    rm -rf "$source"
    mkdir -p "$source"
    tar -xf "$file" -C "$source" --strip-components=1 --wildcards "$@"
  )
}

# apt_sources: leaves in `apt_options` what makes apt-get know the packages' sources, wherever the machine's own lists name their packages alone.
apt_sources() {
  local lists=$folder/sources/apt file
  apt_options=(-o "Dir::Etc::SourceList=/dev/null" -o "Dir::Etc::SourceParts=$lists/parts" -o "Dir::State::Lists=$lists/lists" -o APT::Sandbox::User=root)
  [[ ! -d $lists/lists ]] || return 0
  mkdir -p "$lists/parts"
  for file in /etc/apt/sources.list.d/*.sources; do
    if grep -qs debian.org "$file"; then sed 's/^Types:.*/Types: deb-src/' "$file" >"$lists/parts/$(basename "$file")"; fi
  done
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    if grep -qs '^deb .*debian' "$file"; then sed -n 's/^deb \(.*debian.*\)/deb-src \1/p' "$file" >"$lists/parts/$(basename "$file" .list)-source.list"; fi
  done
  mkdir -p "$lists/lists/partial"
  apt-get -qq "${apt_options[@]}" update
}

# wide_longs FILES...: `long` becomes `long long`, and numbers and limits of that type likewise.
wide_longs() {
  perl -pi -e 's/(?<!long )\blong\b(?! (?:long|double)\b)/long long/g; s/\bLONG_(MAX|MIN)\b/LLONG_$1/g; s/\bULONG_MAX\b/ULLONG_MAX/g;
    s/\b(0[xX][0-9a-fA-F]+|[0-9]+)([uU]?)[lL]\b/$1$2LL/g' "$@"
}

# archive NAME COMPILER FLAGS... -- FILES...: compiles the files, two at a time, into libNAME.a.
archive() {
  local name=$1 compiler=$2 objects=$folder/objects/$1 flags=()
  shift 2
  while [[ $1 != -- ]]; do
    flags+=("$1")
    shift
  done
  shift
  rm -rf "$objects"
  mkdir -p "$objects" "$folder/lib"
  # shellcheck disable=SC2016  # the inner shell expands it
  printf '%s\0' "$@" | xargs -0 -P 2 -I{} bash -c 'file=$1; objects=$2; shift 2; exec "$@" -c "$file" -o "$objects/${file//\//_}.o"' \
    bash {} "$objects" "$compiler" "${wasm_flags[@]}" "${flags[@]}"
  rm -f "$folder/lib/lib$name.a"
  emar qcs "$folder/lib/lib$name.a" "$objects"/*.o
}

make_gmp() {
  source_of gmp
  (
    cd "$source" || exit
    mapfile -d '' files < <(find . \( -name '*.c' -o -name '*.h' -o -name gmp-h.in -o -name gmpxx.h \) -print0)
    wide_longs "${files[@]}"
    # std::size_t is an `unsigned long`: what is declared for each type of number is so for both.
    perl -pi -e 'if (/^\s*(__GMPXX_DECLARE_COMMON_TYPE|__gmp_expr & fun|__gmp_expr|__gmp_expr & operator=|__GMPN[SU]_DEFINE\w+|__GMPN[SU]_DECLARE\w+)\s*\(.*signed long long int/
        && !/mp_bitcnt_t/) { my $other = $_; $other =~ s/long long int/long int/g; $_ .= $other; }' gmpxx.h
    # Debian leaves out the documents.
    mkdir -p doc
    [[ -e doc/Makefile.in ]] || printf 'all install check clean distclean:\n' >doc/Makefile.in
    CC_FOR_BUILD=gcc CFLAGS="${wasm_flags[*]}" CXXFLAGS="${wasm_flags[*]}" ac_cv_sizeof_unsigned_long=8 ac_cv_sizeof_mp_limb_t=8 gmp_cv_c_double_format='IEEE little endian' \
      emconfigure ./configure --host=none --disable-assembly --enable-cxx --disable-shared --prefix="$folder"
    make -j2 MAKEINFO=true
    make install MAKEINFO=true
  )
}

make_mpfr() {
  source_of mpfr4
  (
    cd "$source" || exit
    mapfile -d '' files < <(find src \( -name '*.c' -o -name '*.h' \) -print0)
    wide_longs "${files[@]}"
    # Numbers in files, whose length is to fit a size_t: not used, and it does not.
    : >src/fpif.c
    CFLAGS="${wasm_flags[*]}" emconfigure ./configure --host=none --disable-shared --disable-thread-safe --disable-float128 --with-gmp="$folder" --prefix="$folder"
    make -j2 -C src
    make -C src install
  )
}

# Its error handling jumps back over frames of C.
make_metis() {
  source_of metis
  (
    cd "$source" || exit
    archive metis emcc -w -sSUPPORT_LONGJMP=wasm -DLINUX -D_FILE_OFFSET_BITS=64 -DNDEBUG -DNDEBUG2 -DHAVE_GETLINE -D__thread= -IGKlib -Iinclude -Ilibmetis -- \
      GKlib/*.c libmetis/*.c
    install -m 644 -D -t "$folder/include" include/metis.h
  )
}

# SHA-256 alone.
make_nettle() {
  source_of nettle
  (
    cd "$source" || exit
    sed 's/@MAJOR_VERSION@/3/; s/@MINOR_VERSION@/10/; s/@NETTLE_USE_MINI_GMP@/0/' version.h.in >version.h
    printf '#define %s\n' 'HAVE_STDLIB_H 1' 'HAVE_STRING_H 1' 'HAVE_STDINT_H 1' 'HAVE_INTTYPES_H 1' 'HAVE_UNISTD_H 1' 'SIZEOF_LONG 4' 'SIZEOF_SIZE_T 4' >config.h
    archive nettle emcc -DHAVE_CONFIG_H -I. -- sha256.c sha256-compress-n.c write-be32.c version.c
    install -m 644 -D -t "$folder/include/nettle" sha2.h nettle-types.h nettle-meta.h version.h
  )
}

make_zlib() {
  source_of zlib
  (
    cd "$source" || exit
    archive z emcc -DHAVE_UNISTD_H -D_LARGEFILE64_SOURCE=0 -- adler32.c crc32.c deflate.c inffast.c inflate.c inftrees.c trees.c zutil.c uncompr.c compress.c \
      gzclose.c gzlib.c gzread.c gzwrite.c
    install -m 644 -D -t "$folder/include" zlib.h zconf.h
  )
}

make_fmt() {
  source_of fmtlib
  (
    cd "$source" || exit
    archive fmt em++ -std=c++20 -Iinclude -- src/format.cc src/os.cc
    mkdir -p "$folder/include"
    cp -a include/fmt "$folder/include/"
  )
}

# The readers of DOT and GraphML, which are no headers; and the headers of all that is headers alone, as Debian installs them.
make_boost() {
  local package name
  package=boost$(dpkg-query -W -f '${Version}' libboost-dev | sed 's/^\([0-9]*\.[0-9]*\).*/\1/')
  mkdir -p "$folder/include"
  for name in boost Random123 nlohmann cxxopts.hpp; do ln -sfn "/usr/include/$name" "$folder/include/$name"; done
  source_of "$package" '*/libs/graph/src/*'
  (
    cd "$source" || exit
    archive boost_graph em++ -std=c++20 -w -I"$folder/include" -- libs/graph/src/read_graphviz_new.cpp libs/graph/src/graphml.cpp
  )
}

# wasm_libraries FOLDER: those that are not there yet, each by a process of its own, which ends where something fails.
wasm_libraries() {
  local name
  mkdir -p "$1/logs"
  for name in gmp mpfr metis nettle zlib fmt boost; do
    [[ ! -e $1/made-$name ]] || continue
    say "compiling $name to WebAssembly ($1/logs/$name.log)"
    quietly "$1/logs/$name.log" "$(dirname "${BASH_SOURCE[0]}")/build-wasm" --library "$name"
    touch "$1/made-$name"
  done
}
