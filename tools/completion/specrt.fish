# tools/completion/specrt.fish - completion of specrt in fish
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

set -l files path list verify clear export import
set -l in_cache '__fish_seen_subcommand_from cache'

complete -c specrt -f
complete -c specrt -n __fish_use_subcommand -l version -d 'Print the version'
complete -c specrt -s h -l help -d 'Print help'
complete -c specrt -n __fish_use_subcommand -a tune -d 'Run a program until its versions are chosen'
complete -c specrt -n __fish_use_subcommand -a report -d 'Show the regions of a run, or compare two'
complete -c specrt -n __fish_use_subcommand -a explain -d 'Tell all about one region'
complete -c specrt -n __fish_use_subcommand -a cache -d 'Look after stored files'
complete -c specrt -n __fish_use_subcommand -a env -d 'Show all settings'
complete -c specrt -n __fish_use_subcommand -a server -d 'Look after the processes that compile'

complete -c specrt -n __fish_use_subcommand -a scops -d 'Count regions that are Scops'

complete -c specrt -n __fish_use_subcommand -a structure -d 'Tell what a sparse matrix is like'
complete -c specrt -n __fish_use_subcommand -a propagate -d 'Tell where loops leave zeros'

complete -c specrt -n '__fish_seen_subcommand_from tune' -F
complete -c specrt -n '__fish_seen_subcommand_from tune' -l runs -x -d 'The most runs'
complete -c specrt -n '__fish_seen_subcommand_from tune' -l seconds -x -d 'The most time'
complete -c specrt -n '__fish_seen_subcommand_from tune' -l show -x -a 'first all none' -d 'Which runs print'

complete -c specrt -n '__fish_seen_subcommand_from report' -F
complete -c specrt -n '__fish_seen_subcommand_from report' -l all -d 'Regions that never became hot, too'
complete -c specrt -n '__fish_seen_subcommand_from report' -l sort -x -a 'time name state calls hits misses gain' -d 'Order of the regions'
complete -c specrt -n '__fish_seen_subcommand_from report' -l json -d 'Print as JSON'
complete -c specrt -n '__fish_seen_subcommand_from report' -l html -r -F -d 'Write as a page'
complete -c specrt -n '__fish_seen_subcommand_from report' -l diff -r -F -d 'Compare two reports'

complete -c specrt -n '__fish_seen_subcommand_from explain' -a '(specrt explain --list 2>/dev/null)'
complete -c specrt -n '__fish_seen_subcommand_from explain' -l list -d 'Print the names of the regions'
complete -c specrt -n '__fish_seen_subcommand_from explain' -l why -d 'Which loops are parallel, vectorisable, tilable'
complete -c specrt -n '__fish_seen_subcommand_from explain' -l words -d 'What the words of reports mean'

complete -c specrt -n "$in_cache; and not __fish_seen_subcommand_from $files" -a path -d 'Print the cache directory'
complete -c specrt -n "$in_cache; and not __fish_seen_subcommand_from $files" -a list -d 'List the files'
complete -c specrt -n "$in_cache; and not __fish_seen_subcommand_from $files" -a verify -d 'Check the files'
complete -c specrt -n "$in_cache; and not __fish_seen_subcommand_from $files" -a clear -d 'Remove the files'
complete -c specrt -n "$in_cache; and not __fish_seen_subcommand_from $files" -a export -d 'Write an archive'
complete -c specrt -n "$in_cache; and not __fish_seen_subcommand_from $files" -a import -d 'Add what an archive has'
complete -c specrt -n '__fish_seen_subcommand_from export import' -F
complete -c specrt -n '__fish_seen_subcommand_from import' -l as -r -F -d 'The program that the profile is for'
complete -c specrt -n '__fish_seen_subcommand_from import' -l foreign -d 'What others need, too'
complete -c specrt -n '__fish_seen_subcommand_from list' -l all -d 'Directories of SPECRT_CACHE_PATH, too'
complete -c specrt -n '__fish_seen_subcommand_from list verify clear' -l program -r -F -d 'Only of this program'
complete -c specrt -n '__fish_seen_subcommand_from list verify clear' -l kind -x -a 'profiles reports versions' -d 'Only one kind'
complete -c specrt -n '__fish_seen_subcommand_from list env status scops structure propagate' -l json -d 'Print as JSON'
complete -c specrt -n '__fish_seen_subcommand_from clear' -s y -l yes -d 'Do not ask'
complete -c specrt -n '__fish_seen_subcommand_from server; and not __fish_seen_subcommand_from status stop' -a status -d 'Show the compile servers'
complete -c specrt -n '__fish_seen_subcommand_from server; and not __fish_seen_subcommand_from status stop' -a stop -d 'Stop them'
complete -c specrt -n '__fish_seen_subcommand_from env' -l long -d 'Meanings and accepted values, too'

complete -c specrt -n '__fish_seen_subcommand_from scops' -F
complete -c specrt -n '__fish_seen_subcommand_from scops' -l from -r -F -d 'Read names of files'

complete -c specrt -n '__fish_seen_subcommand_from structure' -F
complete -c specrt -n '__fish_seen_subcommand_from structure' -l svg -r -F -d 'Write a picture'

complete -c specrt -n '__fish_seen_subcommand_from propagate' -F
complete -c specrt -n '__fish_seen_subcommand_from propagate' -l structure -x -d 'Where an array may be nonzero'
complete -c specrt -n '__fish_seen_subcommand_from propagate' -l zero -x -d 'An array that is all zero'
complete -c specrt -n '__fish_seen_subcommand_from propagate' -l value -x -d 'What a size is'
complete -c specrt -n '__fish_seen_subcommand_from propagate' -l nest -x -d 'Which loop nest'
complete -c specrt -n '__fish_seen_subcommand_from propagate' -l output -x -d 'Write where an array may be nonzero'
complete -c specrt -n '__fish_seen_subcommand_from propagate' -l equations -d 'Print the equations, too'
