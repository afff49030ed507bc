//! Houses that the program knows by name.

use fewest_core::builtin::Builtin;

/// All of them.
pub const BUILTINS: &[Builtin] = &[
    Builtin {
        names: &["sample-1"],
        about: "the official sample: a square to turn around in",
        text: "\
5 5 2
#####
#A#B#
#   #
#b#a#
#####
",
    },
    Builtin {
        names: &["sample-2"],
        about: "the official sample: three ghosts reverse their order in a corridor",
        text: "\
16 4 3
################
## ########## ##
#    ABCcba    #
################
",
    },
    Builtin {
        names: &["sample-3"],
        about: "the official sample: a full-size house",
        text: "\
16 16 3
################
### ##    #   ##
##  #  ##   # c#
#  ## ########b#
# ##  # #   #  #
#  # ##   # # ##
##  a#  # # #  #
### ## #### ## #
##   #   #  #  #
#  ##### # ## ##
####   #B# #   #
##  C#   #   ###
#  # # ####### #
# ######  A##  #
#        #    ##
################
",
    },
    Builtin {
        names: &["opening"],
        about: "the full-size sample with a 2x2 opening, as one judge has it",
        text: "\
16 16 3
################
### ##    #   ##
##  #  ##   # c#
#  ## ########b#
# ##  # #   #  #
#  # ##   # # ##
##  a#  # # #  #
### ## #### ## #
##   #   #  #  #
#  ##### # ## ##
####   #B# #   #
##  C#   #   ###
#  # # ####### #
# ######  A##  #
#        #     #
################
",
    },
    Builtin {
        names: &["cut"],
        about: "the full-size sample with a corridor cut: unsolvable",
        text: "\
16 16 3
################
### ##     #  ##
##  #  ##   # c#
#  ## ########b#
# ##  # #   #  #
#  # ##   # # ##
##  a#  # # #  #
### ## #### ## #
##   #   #  #  #
#  ##### # ## ##
####   #B# #   #
##  C#   #   ###
#  # # ####### #
# ######  A##  #
#        #    ##
################
",
    },
    Builtin {
        names: &["order"],
        about: "an order of ghosts that cannot be reached: unsolvable, and 374,920 boards to exhaust",
        text: "\
16 16 3
################
#              #
############## #
#              #
# ##############
#              #
############## #
# ABCcba       #
# ##############
#              #
############## #
#              #
# ##############
#              #
############# ##
################
",
    },
    Builtin {
        names: &["random"],
        about: "a random full-size house that keeps every official rule",
        text: "\
16 16 3
################
#     #   #    #
##### # # ### ##
#       #      #
# # # #####a# ##
# # #   #   #B #
#######c########
#       #      #
####### # # ####
#     #C# #  A #
#####b# # ######
#              #
### # ### ######
#   # #        #
# # # # # # # ##
################
",
    },
];
