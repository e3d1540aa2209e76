#include "apps/complete.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "apps/commands.hpp"
#include "apps/help_topics.hpp"
#include "apps/json_objects.hpp"
#include "apps/output.hpp"
#include "graph/lattices/lattice.hpp"

namespace countpm::app {
namespace {

bool takes_next_word(const OptionInfo& option) {
  return option.type != ValueType::flag && option.bare_value.empty();
}

/// What a command line can go on with.
class Completer {
 public:
  explicit Completer(std::vector<std::string> words) : current_(std::move(words.back())) {
    words.pop_back();
    for (const std::string& word : words) read(word);
    if (command_ == nullptr) command_ = find_command("count");
    add_all();
  }

  std::string text() const {
    return fmt::format("{}{}{}\n{}", files_ ? "files" : "", files_ && nospace_ ? " " : "",
                       nospace_ ? "nospace" : "", lines_);
  }

 private:
  void read(const std::string& word) {
    const OptionInfo* const before = std::exchange(before_, nullptr);
    if (before != nullptr &&
        (takes_next_word(*before) ||
         std::find(before->choices.begin(), before->choices.end(), word) != before->choices.end()))
      return;
    if (word.size() > 1 && word[0] == '-') {
      before_ = option_of(word);
    } else if (command_ == nullptr && find_command(word) != nullptr) {
      command_ = find_command(word);
      named_ = true;
    } else {
      if (command_ == nullptr) command_ = find_command("count");
      ++arguments_;
    }
  }

  /// With a value: "--method", "-o". Null for others.
  static const OptionInfo* option_of(std::string_view word) {
    for (const OptionInfo& option : option_table()) {
      const bool short_one = option.letter != 0 && word.size() == 2 && word[1] == option.letter;
      if (option.type != ValueType::flag && (short_one || word == "--" + std::string(option.name)))
        return &option;
    }
    return nullptr;
  }

  void add_all() {
    if (before_ != nullptr && takes_next_word(*before_)) return add_value(*before_, "");
    const std::size_t equals = current_.find('=');
    if (current_.starts_with("--") && equals != std::string::npos) {
      if (const OptionInfo* option = option_of(current_.substr(0, equals)))
        add_value(*option, current_.substr(0, equals + 1));
      return;
    }
    if (current_.size() > 1 && current_[0] == '-') return add_options();
    if (before_ != nullptr) add_value(*before_, "");
    if (!named_ && arguments_ == 0) add_commands();
    add_argument(argument_of(*command_, arguments_), "");
  }

  void add_options() {
    for (const OptionInfo& option : option_table()) {
      if (!option.questions.has(command_->question)) continue;
      const std::string_view about = option.help.substr(0, option.help.find(';'));
      add(fmt::format("--{}", option.name), about);
      if (option.letter != 0) add(fmt::format("-{}", option.letter), about);
    }
  }

  void add_value(const OptionInfo& option, const std::string& prefix) {
    if (option.type == ValueType::file)
      return add_argument(option.value_name == "INPUT" ? "INPUT" : "FILE", prefix);
    std::string before = prefix;
    if (option.type == ValueType::choices) {
      nospace_ = true;
      if (const std::size_t comma = current_.rfind(','); comma != std::string::npos)
        before = current_.substr(0, comma + 1);
    }
    for (const std::string_view choice : for_command(option, command_->name).choices)
      add(before + std::string(choice), "");
  }

  void add_argument(std::string_view placeholder, const std::string& prefix) {
    const auto names = [&](std::string_view what) {
      return placeholder.find(what) != std::string_view::npos;
    };
    if (names("COMMAND")) {
      add_commands();
      for (const HelpTopic& topic : help_topics()) add(std::string(topic.name), topic.about);
    } else if (names("SPEC") || (names("INPUT") && current_.starts_with(prefix + "lattice:"))) {
      for (const LatticeShape& shape : lattice_shapes())
        nospace_ |= add(fmt::format("{}lattice:{}:", prefix, shape.name), shape.help);
    } else if (names("OBJECT")) {
      for (const ObjectInfo& object : json_objects()) add(object.name, "");
    } else if (!placeholder.empty()) {
      files_ = true;
      if (names("INPUT")) nospace_ |= add(prefix + "lattice:", "a lattice");
    }
  }

  void add_commands() {
    for (const CommandInfo& command : command_table()) {
      if (command.group != CommandGroup::hidden) add(std::string(command.name), command.help);
    }
  }

  /// Whether it begins like the current word.
  bool add(const std::string& word, std::string_view about) {
    if (!word.starts_with(current_)) return false;
    lines_ += fmt::format("{}\t{}\n", word, about);
    return true;
  }

  std::string current_;
  const CommandInfo* command_ = nullptr;
  bool named_ = false;                  // the command
  std::size_t arguments_ = 0;           // that stand before
  const OptionInfo* before_ = nullptr;  // whose value the current word may be
  bool files_ = false;
  bool nospace_ = false;
  std::string lines_;
};

constexpr std::string_view bash_script = R"bash(# Completions of countpm for bash, by 'countpm complete'.
_countpm() {
  local IFS=$' \t\n' line=${COMP_LINE:0:COMP_POINT} how word before='' mark
  local -a words
  # By blanks: bash cuts words at : and =, too.
  # shellcheck disable=SC2162
  read -a words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  word=${words[${#words[@]} - 1]}
  mapfile -t COMPREPLY < <("$1" complete -- "${words[@]:1}" 2>/dev/null)
  how=${COMPREPLY[0]}
  COMPREPLY=("${COMPREPLY[@]:1}")
  COMPREPLY=("${COMPREPLY[@]%%$'\t'*}")
  if [[ $how == *files* ]]; then
    [[ $word == --*=* ]] && before=${word%%=*}=
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -P "$before" -- "${word#"$before"}")
    compopt -o filenames 2>/dev/null
  fi
  [[ $how == *nospace* ]] && compopt -o nospace 2>/dev/null
  # What bash replaces begins after the last : or =.
  before=''
  for mark in : =; do
    if [[ $COMP_WORDBREAKS == *"$mark"* && $word == *"$mark"* ]]; then
      line=${word%"$mark"*}$mark
      ((${#line} > ${#before})) && before=$line
    fi
  done
  COMPREPLY=("${COMPREPLY[@]#"$before"}")
}
complete -F _countpm countpm
)bash";

constexpr std::string_view zsh_script = R"zsh(#compdef countpm
# Completions of countpm for zsh, by 'countpm complete'.
_countpm() {
  local -a lines answers before
  local how line
  before=(${(Q)words[2,CURRENT-1]})
  lines=("${(@f)$(_call_program answers ${(q)words[1]} complete -- ${(@qq)before} ${(qq)${(Q)PREFIX}} 2>/dev/null)}")
  how=$lines[1]
  for line in ${lines[2,-1]}; do answers+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}"); done
  if [[ $how == *nospace* ]]; then
    _describe -V answer answers -S ''
  else
    _describe -V answer answers
  fi
  if [[ $how == *files* ]]; then
    compset -P '--*='
    _files
  fi
}
_countpm "$@"
)zsh";

constexpr std::string_view fish_script = R"fish(# Completions of countpm for fish, by 'countpm complete'.
function __countpm_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l lines ($words[1] complete -- $words[2..] "$word" 2>/dev/null)
    string join \n -- $lines[2..]
    if string match -q '*files*' -- $lines[1]
        set -l before (string match -r '^--[a-z-]+=' -- $word)
        for file in (__fish_complete_path (string replace -- "$before" '' $word))
            echo "$before$file"
        end
    end
end
complete -c countpm -f -a '(__countpm_complete)'
)fish";

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> shells{
    {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}}};

}  // namespace

std::string_view argument_of(const CommandInfo& command, std::size_t number) {
  if (number >= command.most_arguments) return {};
  std::string_view rest = command.synopsis;
  std::string_view found;
  for (std::size_t seen = 0; !rest.empty() && seen <= number;) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    if (word == "--") return {};  // words of another command line
    if (word.find_first_of("abcdefghijklmnopqrstuvwxyz") != std::string_view::npos) continue;
    found = word;
    ++seen;
  }
  return found;
}

std::string completed(std::vector<std::string> words) {
  if (words.empty()) words.emplace_back();
  return Completer(std::move(words)).text();
}

std::vector<std::string_view> shell_names() {
  std::vector<std::string_view> names;
  names.reserve(shells.size());
  for (const auto& [name, script] : shells) names.push_back(name);
  return names;
}

std::string_view completion_script(std::string_view shell) {
  return std::find_if(shells.begin(), shells.end(), [&](const auto& one) { return one.first == shell; })
      ->second;
}

int run_complete(const Request& request) {
  write_output(completed(request.arguments));
  flush_output();
  return 0;
}

}  // namespace countpm::app
