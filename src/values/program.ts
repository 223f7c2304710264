/** The command that users type: in a checkout, or where the package is installed. */
export const programName = import.meta.dirname.includes('/node_modules/') ? 'npx catalogue' : 'bin/catalogue'

/** The words of the command that this process carries out, without its options: `lots add`. */
export const running = { command: 'catalogue' }
