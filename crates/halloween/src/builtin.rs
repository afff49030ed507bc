//! The built-in instances.

use fewest_rules::builtin::Builtin;

/// All built-in instances, in the order in which they are listed.
pub const BUILTINS: &[Builtin] = &[
    Builtin {
        names: &["crossing", "路口"],
        about: "three ghosts meet at one crossing: each steps aside for another",
        moves: Some(6),
        text: "\
7 7 3
#######
###C###
### ###
#Ab aB#
### ###
###c###
#######
",
    },
    Builtin {
        names: &["sample-1", "样例一"],
        about: "official sample: two ghosts pass each other in an H-shaped corridor",
        moves: Some(7),
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
        names: &["sample-2", "样例二"],
        about: "official sample: three ghosts reverse their order in a corridor",
        moves: Some(36),
        text: "\
16 4 3
################
## ########## ##
#    ABCcba    #
################
",
    },
    Builtin {
        names: &["sample-3", "样例三"],
        about: "official sample: a full-size map",
        moves: Some(77),
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
        names: &["opening", "空地"],
        about: "sample-3 with a 2x2 opening, as in the data of one online judge",
        moves: Some(77),
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
        names: &["cut", "隔断"],
        about: "sample-3 with a wall across a corridor: unsolvable",
        moves: None,
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
        names: &["order", "次序"],
        about: "a goal order that is unreachable: unsolvable, with 374,920 reachable states",
        moves: None,
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
        names: &["random", "随机"],
        about: "a random full-size map that satisfies every rule of the statement",
        moves: Some(36),
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
