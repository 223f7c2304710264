/** The command that users type: in a checkout, or where the package is installed. */
export const programName = import.meta.dirname.includes('/node_modules/') ? 'npx catalogue' : 'bin/catalogue'
