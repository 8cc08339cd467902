/** The supported part of Flux's syntax tree, with the names of the Flux front end. */
export type FluxExpression =
  | { type: 'StringLiteral' | 'DateTimeLiteral' | 'IntegerLiteral'; value: string }
  | { type: 'FloatLiteral'; value: number }
  | { type: 'BooleanLiteral'; value: boolean }
  | { type: 'DurationLiteral'; values: { magnitude: number; unit: string }[] }
  | { type: 'Identifier'; name: string }
  | { type: 'UnaryExpression'; operator: string; argument: FluxExpression }
  | { type: 'ArrayExpression'; elements: FluxExpression[] }
  | { type: 'ObjectExpression'; with?: { name: string }; properties: { key: FluxKey; value: FluxExpression }[] }
  | { type: 'MemberExpression'; object: FluxExpression; property: FluxKey }
  | { type: 'BinaryExpression' | 'LogicalExpression'; operator: string; left: FluxExpression; right: FluxExpression }
  | { type: 'ParenExpression'; expression: FluxExpression }
  | { type: 'FunctionExpression'; params: { key: FluxKey }[]; body: FluxExpression }
  | ({ type: 'CallExpression' } & FluxCall)
  | { type: 'PipeExpression'; argument: FluxExpression; call: FluxCall };

/** A property name, as an identifier or a string. */
export type FluxKey = { type: 'Identifier'; name: string } | { type: 'StringLiteral'; value: string };

export interface FluxCall {
  callee: FluxExpression;
  arguments?: FluxExpression[];
}

export interface FluxFile {
  body: { type: string; expression: FluxExpression }[];
}
