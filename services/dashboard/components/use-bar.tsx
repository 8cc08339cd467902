/** A share of a whole as a small bar with its number. */
export function UseBar({ value, max, text }: { value: number | null; max: number; text: string }) {
  if (value === null) return <>–</>;
  const share = max > 0 ? Math.min(1, value / max) : 0;
  const width = 24;
  return (
    <span className="vigil-use">
      <svg width={width} height="8" aria-hidden="true">
        <rect width={width} height="8" rx="3" className="vigil-use-whole" />
        <rect
          width={share === 0 ? 0 : Math.max(2, share * width)}
          height="8"
          rx="3"
          className={share > 0.9 ? 'vigil-use-high' : 'vigil-use-part'}
        />
      </svg>
      {text}
    </span>
  );
}
