/* Records with arrays, records in records, arrays of records: the way to two dimensions.
 * expect: holds
 * spin: 43 43
 */
typedef Row { byte cell[3]; bool used }
typedef Grid { Row row[2]; short total = 5 }
Grid g, h[2];

init {
  Row r;
  byte i, j;
  assert(g.total == 5 && h[1].total == 5);
  for (i : 0 .. 1) {
    for (j : 0 .. 2) {
      g.row[i].cell[j] = i * 3 + j;
      g.total = g.total + g.row[i].cell[j]
    }
  }
  assert(g.total == 20 && g.row[1].cell[2] == 5 && !g.row[1].used);
  h[1].row[g.row[0].cell[1]].cell[2] = 9;
  assert(h[1].row[1].cell[2] == 9 && h[0].row[1].cell[2] == 0);
  r.cell[0] = 3;
  r.used = true;
  assert(r.cell[0] == 3 && r.used)
}
