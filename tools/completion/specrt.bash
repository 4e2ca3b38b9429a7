# tools/completion/specrt.bash - completion of specrt, specrt-clang and specrt-clang++ in bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Words that fit into COMPREPLY, one per line on standard input; names may contain blanks.
_specrt_offer() {
  local word prefix=${cur%"${cur##*[:=]}"}
  COMPREPLY=()
  while IFS= read -r word; do
    [[ $word == "$cur"* ]] || continue
    word=$(printf '%q' "$word")
    # Readline takes what is left of a colon or equals sign as a word of its own.
    [[ $COMP_WORDBREAKS == *[:=]* && $word == "$prefix"* ]] && word=${word#"$prefix"}
    COMPREPLY+=("$word")
  done
}

_specrt() {
  # The line up to the cursor, split at blanks only: region names contain colons.
  local line=${COMP_LINE:0:COMP_POINT} cur previous command='' sub='' word names=0
  local -a words
  read -ra words <<<"$line"
  cur=
  [[ $line == *[[:space:]] ]] || { cur=${words[-1]} && unset 'words[-1]'; }
  previous=${words[-1]}
  for word in "${words[@]:1}"; do
    case $word in
    -*) ;;
    *)
      if [[ -z $command ]]; then
        command=$word
      elif [[ $command == @(cache|server) && -z $sub ]]; then
        sub=$word
      else
        names=$((names + 1))
      fi
      ;;
    esac
  done
  case $previous in
  --sort) _specrt_offer < <(printf '%s\n' time name state calls hits misses gain) && return ;;
  --kind) _specrt_offer < <(printf '%s\n' profiles reports versions rows) && return ;;
  --show) _specrt_offer < <(printf '%s\n' first all none) && return ;;
  --html | --diff | --program | --from | --svg | --as) compopt -o default && return ;;
  esac
  case $command in
  '') _specrt_offer < <(printf '%s\n' tune report explain cache env server scops structure propagate --help --version) ;;
  tune)
    if [[ $cur == -* ]]; then
      _specrt_offer < <(printf '%s\n' --runs --seconds --show --help)
    else
      compopt -o default
    fi
    ;;
  report)
    if [[ $cur == -* ]]; then
      _specrt_offer < <(printf '%s\n' --all --sort --json --html --diff --help)
    else
      compopt -o default
    fi
    ;;
  explain)
    if [[ $cur == -* ]]; then
      _specrt_offer < <(printf '%s\n' --list --why --words --help)
    elif ((names == 0)); then
      _specrt_offer < <("${words[0]}" explain --list 2>/dev/null)
    else
      compopt -o default
    fi
    ;;
  cache)
    case $sub in
    '') _specrt_offer < <(printf '%s\n' path list verify clear export import --help) ;;
    path) _specrt_offer < <(printf '%s\n' --help) ;;
    list) _specrt_offer < <(printf '%s\n' --program --kind --all --json --help) ;;
    verify) _specrt_offer < <(printf '%s\n' --program --kind --help) ;;
    clear) _specrt_offer < <(printf '%s\n' --program --kind --yes --help) ;;
    export)
      if [[ $cur == -* ]]; then
        _specrt_offer < <(printf '%s\n' --help)
      else
        compopt -o default
      fi
      ;;
    import)
      if [[ $cur == -* ]]; then
        _specrt_offer < <(printf '%s\n' --as --foreign --help)
      else
        compopt -o default
      fi
      ;;
    esac
    ;;
  env) _specrt_offer < <(printf '%s\n' --long --json --help) ;;
  server)
    case $sub in
    '') _specrt_offer < <(printf '%s\n' status stop --help) ;;
    status) _specrt_offer < <(printf '%s\n' --json --help) ;;
    stop) _specrt_offer < <(printf '%s\n' --help) ;;
    esac
    ;;
  scops)
    if [[ $cur == -* ]]; then
      _specrt_offer < <(printf '%s\n' --from --json --help)
    else
      compopt -o default
    fi
    ;;
  structure)
    if [[ $cur == -* ]]; then
      _specrt_offer < <(printf '%s\n' --svg --json --help)
    else
      compopt -o default
    fi
    ;;
  propagate)
    if [[ $cur == -* ]]; then
      _specrt_offer < <(printf '%s\n' --structure --zero --value --nest --output --equations --json --help)
    else
      compopt -o default
    fi
    ;;
  esac
}

complete -F _specrt specrt
# The drivers take clang's options: file names complete as for any compiler.
complete -o default specrt-clang specrt-clang++
