/** What stands between the labels in a cell: ours, those of other programs, and that of Google's export. */
const separators = /[;,|]| ::: /;
/** A label that holds a separator or a quote stands in quotes, as a cell of a CSV file does. */
const labelInCell = / ::: |"(?:[^"]|"")*"|(?:(?! ::: )[^;,|])+/g;

/** The labels of a contact as one cell. */
export const labelCell = (labels: readonly string[]): string =>
  labels
    .map((label) =>
      separators.test(label) || /^\* |"/.test(label) ? `"${label.replaceAll('"', '""')}"` : label,
    )
    .join(';');

/** The labels in a cell. Google marks those of its own with an asterisk. */
export const labelsIn = (cell: string): string[] =>
  [...cell.matchAll(labelInCell)].flatMap(([found]) => {
    if (found === ' ::: ') return [];
    const label = found.trim();
    if (/^".*"$/s.test(label)) return label.slice(1, -1).replaceAll('""', '"');
    return label.replace(/^\* (?=\S)/, '');
  });
