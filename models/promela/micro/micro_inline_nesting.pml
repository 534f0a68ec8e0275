/* Inlines nested forty deep. SPIN 6.5.2 has room for 16 (32 in later ones) and stops: its pull request 75.
 * Why: a limit of a table should not be a limit of the language.
 * expect: holds
 */
byte n;
inline i0() { n++ }
inline i1() { i0() }
inline i2() { i1() }
inline i3() { i2() }
inline i4() { i3() }
inline i5() { i4() }
inline i6() { i5() }
inline i7() { i6() }
inline i8() { i7() }
inline i9() { i8() }
inline i10() { i9() }
inline i11() { i10() }
inline i12() { i11() }
inline i13() { i12() }
inline i14() { i13() }
inline i15() { i14() }
inline i16() { i15() }
inline i17() { i16() }
inline i18() { i17() }
inline i19() { i18() }
inline i20() { i19() }
inline i21() { i20() }
inline i22() { i21() }
inline i23() { i22() }
inline i24() { i23() }
inline i25() { i24() }
inline i26() { i25() }
inline i27() { i26() }
inline i28() { i27() }
inline i29() { i28() }
inline i30() { i29() }
inline i31() { i30() }
inline i32() { i31() }
inline i33() { i32() }
inline i34() { i33() }
inline i35() { i34() }
inline i36() { i35() }
inline i37() { i36() }
inline i38() { i37() }
inline i39() { i38() }

init {
  i39();
  assert(n == 1)
}
