/** Rows as a table for a terminal: what, value, goal, whether it was reached, and the plain numbers. */
export function formatTable(rows) {
  const cells = rows.map((row) => [
    row.name,
    `${row.value.toFixed(2)} ${row.unit}`,
    goalOf(row),
    verdictOf(row),
    row.detail,
  ]);
  const all = [['', 'value', 'goal', '', ''], ...cells];
  const widths = all[0].map((_, column) => Math.max(...all.map((line) => line[column].length)));
  return all
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** `reached`, `stretch reached` or `not reached`; null for a row without a goal. */
export function verdictOf({ value, goal, stretch }) {
  if (goal === null) return '';
  if (stretch && value <= stretch) return 'stretch reached';
  return value <= goal ? 'reached' : 'not reached';
}

function goalOf({ goal, stretch }) {
  if (goal === null) return '';
  return stretch ? `≤ ${goal} (${stretch})` : `≤ ${goal}`;
}
