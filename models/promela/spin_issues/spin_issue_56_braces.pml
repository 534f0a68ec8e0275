/* SPIN's issue 56, second half: more closing than opening braces make its scope level negative.
 * expect: rejected
 */
init {
  skip
}
}}}}
}}}}
