/** The headings of a table. A column named '' has none; those of `amounts` are set to the right on paper. */
export function TableHead({ names, amounts = [] }: { names: string[]; amounts?: string[] }) {
  return (
    <thead>
      <tr>
        {names.map((name, index) =>
          name === '' ? (
            <td key={index} />
          ) : (
            <th key={name} scope="col" className={amounts.includes(name) ? 'print-amount' : undefined}>
              {name}
            </th>
          ),
        )}
      </tr>
    </thead>
  )
}
