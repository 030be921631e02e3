export interface FiguresProps {
  readonly title: string;
  /** What the rows are: `Time`. */
  readonly place: string;
  readonly rows: readonly string[];
  readonly columns: readonly { readonly label: string; readonly cells: readonly string[] }[];
}

/** The figures of a chart as a table, for those who cannot see it. */
export function Figures({ title, place, rows, columns }: FiguresProps) {
  return (
    <details class="folded">
      <summary>Show the figures</summary>
      <div class="table-box">
        <table class="table">
          <caption class="unseen">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{place}</th>
              {columns.map(({ label }) => (
                <th key={label} scope="col" class="table-end">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={row}>
                <td data-label={place}>{row}</td>
                {columns.map(({ label, cells }) => (
                  <td key={label} class="table-end money" data-label={label}>
                    {cells[at] ?? '–'}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
