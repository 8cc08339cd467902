/** The head of arrows in a drawing. The one who draws names it, as ids are the whole page's. */
export function ArrowHead({ id }: { id: string }) {
  return (
    <defs>
      <marker id={id} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
        <path d="M0 0 L8 4 L0 8 z" className="vigil-arrow-head" />
      </marker>
    </defs>
  );
}
