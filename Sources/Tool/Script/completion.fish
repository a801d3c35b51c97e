# Completion of the command opcodekit in fish: opcodekit completion fish | source
function __opcodekit
    set -l words (commandline -opc)
    set -l proposed ($words[1] completion words $words[2..-1] (commandline -ct) 2>/dev/null)
    switch "$proposed[1]"
        case @directories
            __fish_complete_directories
        case '@files*'
            __fish_complete_suffix (string replace @files '' -- $proposed[1])
        case '*'
            printf '%s\n' $proposed
    end
end
complete -c opcodekit -f -a '(__opcodekit)'
