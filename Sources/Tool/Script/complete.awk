# Prints what can stand at the end of a command line of opcodekit: in each line a word, a tab and what it does, or
# '@files', which the end of their names may follow, '@directories' or '@opcodes'.
#
# awk -f complete.awk commands.txt WORD … is called with the words after 'opcodekit', the last one unfinished.
BEGIN {
  FS = "\t"
  for (index_ = 2; index_ < ARGC; index_++) {
    # bash takes --option=value for three words.
    if (ARGV[index_] != "=" || index_ == ARGC - 1) word[++count] = ARGV[index_] == "=" ? "" : ARGV[index_]
    ARGV[index_] = ""
  }
  last = word[count]
  before = count > 1 ? word[count - 1] : ""
  for (index_ = 1; index_ < count && verb == ""; index_++) {
    if (word[index_] == "--package") index_++
    else if (word[index_] == "dev") { isDev = 1; if (index_ + 1 < count) verb = "dev " word[index_ + 1] }
    else if (word[index_] !~ /^-/) verb = word[index_]
  }
  if (before == "--package") { print "@directories"; exit }
  if (verb == "" && !isDev) {
    print "dev\tFor developers of the kit\ntest\tRun the tests"
    print "--package\tThe package whose opcodes these are\n--version\tThe version of the kit\n--help\tThe commands"
  }
}

function print_words(text) {
  if (text ~ /^@/) { print text; return }
  for (place = split(text, choice, "|"); place > 0; place--) print choice[place] "\t"
}

verb == "" {
  name = $1
  if (isDev ? sub(/^dev /, "", name) : name !~ /^dev /) print name "\t" $3
}

verb == $1 {
  for (field = 5; field <= NF; field += 2) {
    option = $field
    if (sub(/=.*/, "", option) && option == before) { print_words(substr($field, length(option) + 2)); exit }
  }
  if (last !~ /^-/) { print_words($4); exit }
  for (field = 5; field <= NF; field += 2) {
    option = $field
    sub(/=.*/, "", option)
    print option "\t" $(field + 1)
  }
  print "--help\tExplain this command"
}
