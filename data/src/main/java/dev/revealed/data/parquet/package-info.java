/** Parquet files with flat columns, read page by page and written row group by row group. */
@NullMarked
package dev.revealed.data.parquet;

import org.jspecify.annotations.NullMarked;
