// countpm help --completions bash: one function of bash, without bash-completion's own.
#include <fmt/format.h>

#include "apps/completions.hpp"
#include "apps/help_topics.hpp"

namespace countpm::app {
namespace {

std::string bash_kind(Completed kind) {
  switch (kind) {
    case Completed::files:
      return "files";
    case Completed::inputs:
      return "inputs";
    case Completed::lattices:
      return "lattices";
    case Completed::commands:
      return "commands";
    case Completed::nothing:
      break;
  }
  return "nothing";
}

/// "  count) options='...' arguments='inputs' ;;" for each command.
std::string bash_commands() {
  std::string text;
  for (const CommandInfo& command : command_table()) {
    std::string words, arguments;
    for (const OptionInfo* option : options_taken(command.name)) {
      for (const std::string& word : option_words(*option)) words += (words.empty() ? "" : " ") + word;
    }
    for (const Completed kind : completed_arguments(command))
      arguments += (arguments.empty() ? "" : " ") + bash_kind(kind);
    text += fmt::format("    {}) options='{}' arguments=({}) ;;\n", command.name, words, arguments);
  }
  return text;
}

/// "  --method) kind=words values='...' ;;" for each option with a value.
std::string bash_values() {
  std::string text;
  for (const OptionInfo& option : option_table()) {
    if (option.type == ValueType::flag) continue;
    std::string kind = bash_kind(completed_value(option));
    if (option.type == ValueType::choice) kind = "words";
    if (option.type == ValueType::choices) kind = "list";
    text += fmt::format("    {}) kind={} values='{}' next={} ;;\n", fmt::join(option_words(option), " | "),
                        kind, fmt::join(option.choices, " "), takes_next_word(option) ? 1 : 0);
  }
  return text;
}

constexpr std::string_view bash_head =
    R"bash(# Completions of countpm for bash. Made by 'countpm help --completions bash'.

# What a command takes: sets options and arguments.
_countpm_command() {
  options='' arguments=()
  case $1 in
)bash";

constexpr std::string_view bash_middle = R"bash(    *) return 1 ;;
  esac
}

# What an option's value is: sets kind, values, and next where the next word is it.
_countpm_value() {
  kind='' values='' next=0
  case $1 in
)bash";

constexpr std::string_view bash_tail = R"bash(    *) return 1 ;;
  esac
}

# Adds what begins like the word to be completed.
_countpm_words() {
  local candidate
  while IFS='' read -r candidate; do
    [[ -n $candidate ]] && COMPREPLY+=("$2$candidate")
  done < <(compgen -W "$1" -- "${current#"$2"}")
}

_countpm_files() {
  local candidate
  compopt -o filenames 2>/dev/null
  while IFS='' read -r candidate; do COMPREPLY+=("$1$candidate"); done < <(compgen -f -- "${current#"$1"}")
}

# KIND PREFIX: PREFIX is what of the word stands before the value, such as --method=
_countpm_add() {
  local done_before
  case $1 in
    words) _countpm_words "$values" "$2" ;;
    list)
      done_before=$current
      [[ $done_before == *,* ]] && done_before=${done_before%,*}, || done_before=$2
      compopt -o nospace 2>/dev/null
      _countpm_words "$values" "$done_before"
      ;;
    files) _countpm_files "$2" ;;
    commands) _countpm_words "$commands $topics" "$2" ;;
    lattices)
      compopt -o nospace 2>/dev/null
      _countpm_words "$lattices" "$2"
      ;;
    inputs)
      if [[ ${current#"$2"} == lattice:* ]]; then
        compopt -o nospace 2>/dev/null
        _countpm_words "$lattices" "$2"
      else
        _countpm_files "$2"
        [[ lattice: == "${current#"$2"}"* ]] && compopt -o nospace 2>/dev/null
        _countpm_words lattice: "$2"
      fi
      ;;
  esac
}

_countpm() {
  local line=${COMP_LINE:0:COMP_POINT} IFS=$' \t\n' current word command='' before='' mark cut=''
  local options kind values next commands topics lattices i position=0
  local -a words arguments
)bash";

constexpr std::string_view bash_end = R"bash(  COMPREPLY=()
  # By blanks: bash cuts words at : and =, too.
  # shellcheck disable=SC2162
  read -a words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  current=${words[${#words[@]} - 1]}

  # The command, how many arguments it has before the word, and the option whose value the word may be.
  for ((i = 1; i < ${#words[@]} - 1; ++i)); do
    word=${words[i]}
    if [[ -n $before ]] && _countpm_value "$before"; then
      if ((next)) || [[ " $values " == *" $word "* ]]; then
        before=''
        continue
      fi
    fi
    before=''
    case $word in
      --*=*) ;;
      -?*) before=$word ;;
      *)
        if [[ -z $command && " $commands " == *" $word "* ]]; then
          command=$word
        else
          command=${command:-count}
          position=$((position + 1))
        fi
        ;;
    esac
  done
  _countpm_command "${command:-count}"

  if [[ -n $before ]] && _countpm_value "$before" && ((next)); then
    _countpm_add "$kind" ''
  elif [[ $current == --*=* ]]; then
    _countpm_value "${current%%=*}" && _countpm_add "$kind" "${current%%=*}="
  elif [[ $current == -* && $current != - ]]; then
    _countpm_words "$options" ''
  else
    [[ -n $before ]] && _countpm_value "$before" && _countpm_words "$values" ''
    [[ -z $command ]] && _countpm_words "$commands" ''
    ((position < ${#arguments[@]})) || position=$((${#arguments[@]} - 1))
    _countpm_add "${arguments[position]}" ''
  fi

  # What bash replaces begins after the last : or =.
  for mark in : =; do
    if [[ $COMP_WORDBREAKS == *"$mark"* && $current == *"$mark"* ]]; then
      word=${current%"$mark"*}$mark
      ((${#word} > ${#cut})) && cut=$word
    fi
  done
  COMPREPLY=("${COMPREPLY[@]#"$cut"}")
}

complete -F _countpm countpm
)bash";

}  // namespace

std::string bash_completions() {
  std::string text(bash_head);
  text += bash_commands();
  text += bash_middle;
  text += bash_values();
  text += bash_tail;
  text += fmt::format("  commands='{}'\n  topics='{}'\n  lattices='{}'\n", all_command_names(),
                      topic_names(" "), lattice_beginnings("lattice:"));
  text += bash_end;
  return text;
}

}  // namespace countpm::app
