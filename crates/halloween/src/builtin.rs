//! Houses that the program knows by name.

/// A house with a name.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// The name.
    pub name: &'static str,
    /// What is special about it.
    pub about: &'static str,
    /// One data set.
    pub text: &'static str,
}

/// All of them.
pub const BUILTINS: &[Builtin] = &[
    Builtin {
        name: "sample-1",
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
        name: "sample-2",
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
        name: "sample-3",
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
        name: "opening",
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
        name: "cut",
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
        name: "order",
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
        name: "random",
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
